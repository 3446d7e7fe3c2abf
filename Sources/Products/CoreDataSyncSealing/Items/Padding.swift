/// The sizes that sealed contents have, so that a size discloses little: multiples of 512 bytes, and of an eighth of the next lower power of
/// two for larger ones, at most an eighth more than the content.
enum Padding {
    static let least = 512

    /// The size to which a content is filled with zeros.
    static func size(of count: Int) -> Int {
        let bits = Int.bitWidth - max(1, count).leadingZeroBitCount
        let step = max(least, 1 << max(0, bits - 4))
        return max(least, (count + step - 1) / step * step)
    }
}
