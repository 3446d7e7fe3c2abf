/// The CRC-32 of zlib and PNG.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { index in
        var value = UInt32(index)
        for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        return value
    }

    static func crc32(_ bytes: [UInt8]) -> UInt32 { crc32(bytes[...]) }

    static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                var value = UInt32.max
                // A loop over indexes, since an iterator costs a multiple in builds without optimization.
                var index = 0
                while index < bytes.count {
                    value = table[Int((value ^ UInt32(bytes[index])) & 0xFF)] ^ (value >> 8)
                    index += 1
                }
                return ~value
            }
        }
    }
}
