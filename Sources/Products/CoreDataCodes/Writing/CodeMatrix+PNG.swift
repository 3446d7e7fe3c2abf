import CZlib
import Foundation

extension CodeMatrix {
    /// The code as a picture in PNG with the light border, whose pixels are pure black or pure white: one bit each.
    ///
    /// - Parameter scale: Pixels of a module in each direction, from 1 to 40.
    public func png(scale: Int = 8) -> Data {
        let scale = min(max(scale, 1), 40)
        let (columns, rows) = ((width + 2 * border) * scale, (drawnHeight + 2 * border) * scale)
        let stride = (columns + 7) / 8
        var lines = Data(capacity: (stride + 1) * rows)
        for row in 0..<(drawnHeight + 2 * border) {
            // A byte for the filter, none, before each line. A bit is 1 where the pixel is white.
            var line = [UInt8](repeating: 0xFF, count: stride + 1)
            line[0] = 0
            for column in 0..<width where row >= border && isDrawnDark(column, row - border) {
                for pixel in ((column + border) * scale)..<((column + border + 1) * scale) {
                    line[1 + pixel / 8] &= ~(0x80 >> UInt8(pixel % 8))
                }
            }
            for _ in 0..<scale { lines.append(contentsOf: line) }
        }
        var png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        png.append(chunk: "IHDR", number(columns) + number(rows) + Data([1, 0, 0, 0, 0]))
        png.append(chunk: "IDAT", Self.compressed(lines))
        png.append(chunk: "IEND", Data())
        return png
    }

    private static func compressed(_ data: Data) -> Data {
        var size = compressBound(UInt(data.count))
        var compressed = Data(count: Int(size))
        let code = compressed.withUnsafeMutableBytes { target in
            data.withUnsafeBytes { source in
                compress2(
                    target.bindMemory(to: UInt8.self).baseAddress, &size,
                    source.bindMemory(to: UInt8.self).baseAddress, UInt(data.count), 9)
            }
        }
        // The buffer has the size that zlib asks for, so that it can only lack memory.
        precondition(code == Z_OK, "zlib cannot compress \(data.count) bytes: no memory")
        return compressed.prefix(Int(size))
    }
}

/// Four bytes, the highest first.
private func number(_ value: Int) -> Data {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Data($0) }
}

extension Data {
    fileprivate mutating func append(chunk name: String, _ content: Data) {
        let named = Data(name.utf8) + content
        append(number(content.count))
        append(named)
        let sum = named.withUnsafeBytes {
            crc32(0, $0.bindMemory(to: UInt8.self).baseAddress, UInt32(truncatingIfNeeded: named.count))
        }
        append(number(Int(truncatingIfNeeded: sum)))
    }
}
