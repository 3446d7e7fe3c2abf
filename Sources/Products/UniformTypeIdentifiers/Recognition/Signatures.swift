import Foundation

/// What data begins with, by kind.
enum Signatures {
    private struct Rule {
        let offset: Int
        let bytes: [UInt8]
        let type: UTType

        init(_ text: String, at offset: Int = 0, _ type: UTType) {
            self.init(Array(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }), at: offset, type)
        }

        init(_ bytes: [UInt8], at offset: Int = 0, _ type: UTType) {
            (self.bytes, self.offset, self.type) = (bytes, offset, type)
        }
    }

    /// Each byte of a text is that of its scalar, up to U+00FF.
    private static let rules = [
        Rule("\u{89}PNG\r\n\u{1A}\n", .png), Rule([0xFF, 0xD8, 0xFF], .jpeg), Rule("GIF87a", .gif),
        Rule("GIF89a", .gif),
        Rule("II*\0", .tiff), Rule("MM\0*", .tiff), Rule([0, 0, 1, 0], .ico), Rule("icns", .icns),
        Rule("\0\0\0\u{0C}JXL \r\n\u{87}\n", .jpegXL), Rule([0xFF, 0x0A], .jpegXL),
        Rule("\0\0\0\u{0C}jP  \r\n\u{87}\n", UTType(known: "public.jpeg-2000")),
        Rule("8BPS", UTType(known: "com.adobe.photoshop-image")),
        Rule("ID3", .mp3), Rule("fLaC", .flac), Rule("MThd", .midi), Rule("#!AMR", UTType(known: "public.amr-audio")),
        Rule("%PDF-", .pdf), Rule("%!PS-", .postScript), Rule("{\\rtf", .rtf), Rule("bplist0", .binaryPropertyList),
        Rule("PK\u{3}\u{4}", .zip), Rule("PK\u{5}\u{6}", .zip), Rule([0x1F, 0x8B, 8], .gzip), Rule("BZh", .bz2),
        Rule([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .xz), Rule("7z\u{BC}\u{AF}\u{27}\u{1C}", .sevenZip),
        Rule("ustar", at: 257, .tarArchive), Rule("SQLite format 3\0", .sqlite), Rule("\0asm", .webAssembly),
        Rule("wOFF", UTType(known: "org.w3.woff")), Rule("wOF2", UTType(known: "org.w3.woff2")),
        Rule("OTTO", UTType(known: "public.opentype-font")),
        Rule([0, 1, 0, 0, 0], UTType(known: "public.truetype-ttf-font")),
        Rule([0, 0, 1, 0xBA], .mpeg), Rule([0, 0, 1, 0xB3], .mpeg),
    ]

    static func type(of source: some ByteSource) -> UTType? {
        let start = source.bytes(at: 0, count: 512)
        if let type = container(start, source) { return type }
        if let rule = rules.first(where: { start.dropFirst($0.offset).starts(with: $0.bytes) }) { return rule.type }
        if isBitmap(start) { return .bmp }
        if let type = audioFrames(start) { return type }
        return TextSignatures.type(of: source.bytes(at: 0, count: UTType.recognizedPrefixLength))
    }

    private static func container(_ start: [UInt8], _ source: some ByteSource) -> UTType? {
        func has(_ text: String, at place: Int = 0) -> Bool { start.dropFirst(place).starts(with: text.utf8) }
        if has("RIFF") || has("FORM") {
            if has("WEBP", at: 8) { return .webP }
            if has("WAVE", at: 8) { return .wav }
            if has("AVI ", at: 8) { return .avi }
            return has("AIFF", at: 8) || has("AIFC", at: 8) ? .aiff : nil
        }
        if has("caff") { return UTType(known: "com.apple.coreaudio-format") }
        if has("ftyp", at: 4) { return MPEG4Boxes(source).type }
        if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return EBMLElements(source).type }
        if has("OggS") { return ogg(start) }
        return nil
    }

    /// By the first packet of the first stream, which stands behind the table of segments.
    private static func ogg(_ start: [UInt8]) -> UTType {
        guard start.count > 27 else { return .oggAudio }
        let packet = start.dropFirst(27 + Int(start[26]))
        if packet.starts(with: "OpusHead".utf8) { return .opus }
        let films: [[UInt8]] = [[0x80] + Array("theora".utf8), Array("BBCD".utf8), Array("fishead".utf8)]
        return films.contains { packet.starts(with: $0) } ? .oggVideo : .oggAudio
    }

    /// `BM` begins many texts: the size of the header must be one that there is.
    private static func isBitmap(_ start: [UInt8]) -> Bool {
        start.count >= 18 && start.starts(with: "BM".utf8) && start[6...9].allSatisfy { $0 == 0 }
            && [12, 40, 52, 56, 64, 108, 124].contains(start[14]) && start[15...17].allSatisfy { $0 == 0 }
    }

    /// Sound without a container: the first frame's head, with values that are allowed.
    private static func audioFrames(_ start: [UInt8]) -> UTType? {
        guard start.count >= 4, start[0] == 0xFF else { return nil }
        if start[1] & 0xF6 == 0xF0 { return (start[2] >> 2 & 15) < 13 ? .aac : nil }
        let (version, layer) = (start[1] >> 3 & 3, start[1] >> 1 & 3)
        let (rate, frequency) = (start[2] >> 4, start[2] >> 2 & 3)
        guard start[1] & 0xE0 == 0xE0, version != 1, layer == 1, rate != 0, rate != 15, frequency != 3 else {
            return nil
        }
        return .mp3
    }
}
