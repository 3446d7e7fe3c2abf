/// The chunks of a PNG: ISO/IEC 15948, clause 5.
enum PNGChunks {
    /// Chunks that say how the picture looks, or how it moves.
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD", "pHYs", "cICP", "mDCV",
        "cLLI", "acTL",
        "fcTL", "fdAT", "hIST", "sPLT",
    ]

    static func cleaned(_ bytes: [UInt8]) -> [UInt8]? {
        var result = Array(bytes.prefix(8))
        var turning: [UInt8] = []
        var place = 8
        while place + 12 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - place - 12 else { return nil }
            let (name, end) = (String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self), place + 12 + length)
            let content = bytes[(place + 8)..<(place + 8 + length)]
            if name == "eXIf", let mark = TurningMark.find(in: content) {
                turning = chunk("eXIf", TurningMark.block(mark))
            }
            if kept.contains(name) { result += bytes[place..<end] }
            if name == "IEND" {
                // Before the last chunk, where it may stand.
                return result.dropLast(end - place) + turning + bytes[place..<end]
            }
            place = end
        }
        return nil
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return number(UInt32(content.count)) + body + number(checksum(body))
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// The CRC of annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }
}

/// The chunks of a WebP: RFC 9649.
enum WebPChunks {
    static func cleaned(_ bytes: [UInt8]) -> [UInt8]? {
        var (body, turning): ([UInt8], [UInt8]) = ([], [])
        var (place, flags): (Int, Int?) = (12, nil)
        while place + 8 <= bytes.count {
            let name = String(decoding: bytes[place..<place + 4], as: UTF8.self)
            let length = bytes[(place + 4)..<(place + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
            let end = place + 8 + length + length % 2
            guard length <= bytes.count - place - 8 else { return nil }
            switch name {
            case "EXIF":
                let content = bytes[(place + 8)..<(place + 8 + length)]
                let tiff = content.starts(with: Array("Exif\0\0".utf8)) ? content.dropFirst(6) : content
                if let mark = TurningMark.find(in: tiff) { turning = TurningMark.block(mark) }
            case "VP8X":
                guard length >= 10 else { return nil }
                flags = body.count + 8
                fallthrough
            case "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP":
                body += bytes[place..<min(end, bytes.count)]
                if end > bytes.count { body.append(0) }
            default: break
            }
            place = end
        }
        guard !body.isEmpty else { return nil }
        if let flags {
            // Bits of the extended head: EXIF is 0x08, XMP 0x04.
            body[flags] &= 0xF3
            if !turning.isEmpty { body[flags] |= 0x08 }
        }
        if flags != nil, !turning.isEmpty { body += Array("EXIF".utf8) + size(turning.count) + turning }
        return Array("RIFF".utf8) + size(body.count + 4) + Array("WEBP".utf8) + body
    }

    private static func size(_ count: Int) -> [UInt8] { [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: count >> $0) } }
}

/// The blocks of a GIF: comments, texts and the extensions of programs go, but for those that say how often it moves.
enum GIFBlocks {
    static func cleaned(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 13 else { return nil }
        var place = 13 + table(bytes[10])
        guard place <= bytes.count else { return nil }
        var result = Array(bytes[..<place])
        while place < bytes.count {
            let start = place
            switch bytes[place] {
            case 0x3B: return result + [0x3B]
            case 0x21:
                guard place + 2 < bytes.count, let end = blocks(bytes, from: place + 2) else { return nil }
                let name = bytes[min(place + 3, bytes.count)..<min(place + 14, bytes.count)]
                let isLoop =
                    bytes[place + 1] == 0xFF && ["NETSCAPE2.0", "ANIMEXTS1.0"].contains { name.elementsEqual($0.utf8) }
                if bytes[place + 1] == 0xF9 || isLoop { result += bytes[start..<end] }
                place = end
            case 0x2C:
                guard place + 10 < bytes.count else { return nil }
                let data = place + 11 + table(bytes[place + 9])
                guard data <= bytes.count, let end = blocks(bytes, from: data) else { return nil }
                result += bytes[start..<end]
                place = end
            default: return nil
            }
        }
        return nil
    }

    /// The size of the table of colours that a head announces.
    private static func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// The place behind blocks, each with its size before it, up to an empty one.
    private static func blocks(_ bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        while place < bytes.count {
            let size = Int(bytes[place])
            place += 1 + size
            if size == 0 { return place }
        }
        return nil
    }
}
