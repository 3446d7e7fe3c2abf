/// A width and a height in pixels.
public struct PixelSize: Sendable, Hashable, Codable {
    /// The pixels in a row.
    public var width: Int
    /// The rows.
    public var height: Int

    /// Makes a size of two numbers, unchecked.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The number of pixels, `Int.max` if it is larger.
    public var count: Int {
        let (count, isTooLarge) = width.multipliedReportingOverflow(by: height)
        return isTooLarge ? Int.max : count
    }

    /// The size after a turn by a quarter.
    var turned: PixelSize { PixelSize(width: height, height: width) }

    /// The largest size of the same shape that fits into another one, never larger than this one; at least 1 × 1.
    public func fitted(into other: PixelSize) -> PixelSize {
        guard width > 0, height > 0 else { return PixelSize(width: 1, height: 1) }
        let factor = min(Double(other.width) / Double(width), Double(other.height) / Double(height), 1)
        return PixelSize(
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded())))
    }
}
