/// The boxes of MPEG-4 and QuickTime files, ISO/IEC 14496-12: which kind, by the brand and by what the tracks carry.
///
/// A box is four bytes of size, four of type, then its content; size 1 says that eight bytes of size follow, size 0 that it reaches to
/// the end. The tracks are in `moov`, `trak`, `mdia`, `hdlr`, whose content has the kind of the track at its byte 8.
struct MPEG4Boxes<Source: ByteSource> {
    private let source: Source
    /// How many boxes are looked at in all.
    private let bound = 1_000

    init(_ source: Source) { self.source = source }

    var type: UTType? {
        let head = source.bytes(at: 0, count: 12)
        guard head.count == 12 else { return nil }
        let brand = String(decoding: head[8...], as: UTF8.self)
        switch brand {
        case "avif", "avis": return .avif
        case "heic", "heix", "hevc", "hevx", "heim", "heis": return .heic
        case "mif1", "msf1": return still
        case "M4A ", "M4B ": return .m4a
        case "M4P ": return .appleProtectedMPEG4Audio
        default: break
        }
        let film: UTType
        switch brand {
        case "qt  ": film = .quickTimeMovie
        case "M4V ", "M4VH", "M4VP": film = .m4v
        case _ where brand.hasPrefix("3gp"): film = .threeGPP
        case "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "avc1", "dash",
            "mmp4",
            "MSNV", "f4v ", "cmfc", "cmf2":
            film = .mpeg4Movie
        default: return nil
        }
        let kinds = trackKinds
        return kinds.contains("soun") && !kinds.contains("vide") ? .mpeg4Audio : film
    }

    /// By the further brands of the first box.
    private var still: UTType {
        let bytes = source.bytes(at: 0, count: 256)
        let size = min(bytes.count, Int(bytes[2]) << 8 | Int(bytes[3]))
        let brands = stride(from: 16, to: max(16, size - 3), by: 4).map {
            String(decoding: bytes[$0..<$0 + 4], as: UTF8.self)
        }
        if brands.contains("avif") { return .avif }
        return brands.contains("heic") || brands.contains("heix") ? .heic : .heif
    }

    private var trackKinds: Set<String> {
        var kinds: Set<String> = []
        var left = bound
        // Places still to walk through, each up to an end.
        var open: [(start: UInt64, end: UInt64)] = [(0, .max)]
        while let (start, end) = open.popLast() {
            var place = start
            while place < end, left > 0, let box = self.box(at: place, end: end) {
                left -= 1
                switch box.name {
                case "moov", "trak", "mdia": open.append((box.content, box.end))
                case "hdlr":
                    let kind = source.bytes(at: box.content + 8, count: 4)
                    if kind.count == 4 { kinds.insert(String(decoding: kind, as: UTF8.self)) }
                default: break
                }
                place = box.end
            }
        }
        return kinds
    }

    private func box(at place: UInt64, end: UInt64) -> (name: String, content: UInt64, end: UInt64)? {
        let head = source.bytes(at: place, count: 16)
        guard head.count >= 8 else { return nil }
        var size = head[0..<4].reduce(0) { $0 << 8 | UInt64($1) }
        var start: UInt64 = 8
        if size == 1 {
            guard head.count == 16 else { return nil }
            size = head[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
            start = 16
        }
        let (boxEnd, isTooLarge) = place.addingReportingOverflow(size)
        if size == 0, place + start <= end { return (String(decoding: head[4..<8], as: UTF8.self), place + start, end) }
        guard size >= start, !isTooLarge, boxEnd <= end else { return nil }
        return (String(decoding: head[4..<8], as: UTF8.self), place + start, boxEnd)
    }
}
