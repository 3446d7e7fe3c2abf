/// The header of a frame of MPEG audio.
///
/// Source of the format: ISO/IEC 11172-3, section 2.4.1.3, and 13818-3 for the lower rates.
struct MPEGFrame {
    /// 1, 2, or 3 for the unofficial version 2.5.
    let version: Int
    let layer: Int
    let sampleRate: Int
    /// The bytes of the whole frame.
    let length: Int
    let isMono: Bool

    var samples: Int { layer == 1 ? 384 : layer == 3 && version != 1 ? 576 : 1_152 }

    /// Reads a header; nil if there is none, or one of free format.
    init?(_ bytes: [UInt8], at offset: Int) {
        guard let word = bytes.big(offset, 4), word >> 21 == 0x7ff else { return nil }
        let (versionBits, layerBits) = (Int(word >> 19 & 3), Int(word >> 17 & 3))
        let (rateBits, frequencyBits) = (Int(word >> 12 & 15), Int(word >> 10 & 3))
        guard versionBits != 1, layerBits != 0, (1...14).contains(rateBits), frequencyBits != 3 else { return nil }
        version = versionBits == 3 ? 1 : versionBits == 2 ? 2 : 3
        layer = 4 - layerBits
        sampleRate = [44_100, 48_000, 32_000][frequencyBits] >> (version - 1)
        isMono = word >> 6 & 3 == 3
        let rates = version == 1 ? Self.rates[layer - 1] : layer == 1 ? Self.lowRates[0] : Self.lowRates[1]
        let (rate, padding) = (rates[rateBits - 1] * 1_000, Int(word >> 9 & 1))
        if layer == 1 {
            length = (12 * rate / sampleRate + padding) * 4
        } else {
            length = (layer == 3 && version != 1 ? 72 : 144) * rate / sampleRate + padding
        }
        guard length > 4 else { return nil }
    }

    private static let rates = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ]
    private static let lowRates = [
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// How many frames follow, as the first frame says in a Xing, Info or VBRI header.
    func announced(_ bytes: [UInt8], at offset: Int) -> Int? {
        let side = version == 1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
        let xing = offset + 4 + side
        if bytes.has("Xing", at: xing) || bytes.has("Info", at: xing) {
            guard let flags = bytes.big(xing + 4, 4), flags & 1 != 0 else { return nil }
            return bytes.big(xing + 8, 4).map { Int($0) }
        }
        if bytes.has("VBRI", at: offset + 36) { return bytes.big(offset + 36 + 14, 4).map { Int($0) } }
        return nil
    }
}

/// The length of MPEG audio: what a Xing, Info or VBRI header announces, else all frames counted.
enum MPEGLength {
    /// How far a first frame is looked for after the tags.
    private static let search = 64 << 10
    /// How much of a file is read to count frames: above it, `ffprobe` decides.
    private static let greatest = 512 << 20
    private static let block = 256 << 10

    static func seconds(_ file: SoundFile) -> Double? {
        guard let tags = tagLength(file) else { return nil }
        let bytes = file.bytesUpToEnd(at: tags, count: search)
        for offset in bytes.indices {
            guard let frame = MPEGFrame(bytes, at: offset) else { continue }
            // Two frames in a row, or a frame that ends the file.
            let next = offset + frame.length
            guard next + 4 > bytes.count || MPEGFrame(bytes, at: next) != nil || bytes.has("TAG", at: next) else {
                continue
            }
            if let count = frame.announced(bytes, at: offset), count > 0 {
                return Double(count) * Double(frame.samples) / Double(frame.sampleRate)
            }
            return counted(file, from: tags + offset)
        }
        return nil
    }

    /// The bytes of ID3v2 tags at the beginning.
    private static func tagLength(_ file: SoundFile) -> Int? {
        var offset = 0
        for _ in 0..<8 {
            guard let head = file.bytes(at: offset, count: 10) else { return nil }
            guard head.has("ID3", at: 0) else { break }
            let size = (6..<10).reduce(0) { $0 << 7 | Int(head[$1] & 0x7f) }
            offset += 10 + size + (head[5] & 0x10 != 0 ? 10 : 0)
        }
        return offset
    }

    private static func counted(_ file: SoundFile, from start: Int) -> Double? {
        guard file.size - start <= greatest else { return nil }
        var (offset, seconds) = (start, 0.0)
        var (block, base) = ([UInt8](), start)
        while offset < file.size {
            if offset - base + 4 > block.count {
                (block, base) = (file.bytesUpToEnd(at: offset, count: self.block), offset)
                if block.count < 4 { break }
            }
            guard let frame = MPEGFrame(block, at: offset - base) else {
                // Tags at the end of the file; anything else in between is left to `ffprobe`.
                let rest = offset - base
                let isTag =
                    block.has("TAG", at: rest) || block.has("APETAGEX", at: rest) || block.has("LYRICS", at: rest)
                return isTag && seconds > 0 ? seconds : nil
            }
            seconds += Double(frame.samples) / Double(frame.sampleRate)
            offset += frame.length
        }
        return seconds > 0 ? seconds : nil
    }
}
