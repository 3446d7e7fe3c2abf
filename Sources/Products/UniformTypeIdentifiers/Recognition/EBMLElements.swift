/// The elements of WebM and Matroska files, RFC 8794 and 9559: which kind, by the kind of document and by what the tracks carry.
///
/// An element is a number that names it, one for its size, and its content; the number of leading zero bits says how long each is.
struct EBMLElements<Source: ByteSource> {
    private let source: Source
    private let bound = 1_000

    init(_ source: Source) { self.source = source }

    var type: UTType? {
        var documentKind = ""
        var kinds: Set<UInt8> = []
        var left = bound
        var open: [(start: UInt64, end: UInt64)] = [(0, .max)]
        while let (start, end) = open.popLast() {
            var place = start
            while place < end, left > 0, let element = element(at: place, end: end) {
                left -= 1
                switch element.name {
                case Name.head, Name.segment, Name.tracks, Name.track: open.append((element.content, element.end))
                case Name.documentKind:
                    let bytes = source.bytes(at: element.content, count: Int(min(16, element.end - element.content)))
                    documentKind = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                case Name.trackKind: kinds.formUnion(source.bytes(at: element.content, count: 1))
                default: break
                }
                place = element.end
            }
        }
        let hasSoundAlone = kinds.contains(2) && !kinds.contains(1)
        switch documentKind {
        case "webm": return hasSoundAlone ? .webMAudio : .webM
        case "matroska": return hasSoundAlone ? .matroskaAudio : .matroska
        default: return nil
        }
    }

    private func element(at place: UInt64, end: UInt64) -> (name: UInt64, content: UInt64, end: UInt64)? {
        let head = source.bytes(at: place, count: 12)
        guard let first = head.first else { return nil }
        let nameLength = first.leadingZeroBitCount + 1
        guard nameLength <= 4, head.count > nameLength else { return nil }
        let name = head[..<nameLength].reduce(0) { $0 << 8 | UInt64($1) }
        let sizeLength = head[nameLength].leadingZeroBitCount + 1
        guard sizeLength <= 8, head.count >= nameLength + sizeLength else { return nil }
        let all: UInt64 = (1 << (7 * UInt64(sizeLength))) - 1
        let size = head[nameLength..<nameLength + sizeLength].reduce(0) { $0 << 8 | UInt64($1) } & all
        let content = place + UInt64(nameLength + sizeLength)
        guard content <= end else { return nil }
        // A size of ones alone is one that is not known: it reaches to the end of what it lies in.
        let (elementEnd, isTooLarge) = content.addingReportingOverflow(size)
        guard size != all, !isTooLarge else { return (name, content, end) }
        return (name, content, min(elementEnd, end))
    }
}

/// The elements that are looked into.
private enum Name {
    static let (head, documentKind, segment): (UInt64, UInt64, UInt64) = (0x1A45_DFA3, 0x4282, 0x1853_8067)
    static let (tracks, track, trackKind): (UInt64, UInt64, UInt64) = (0x1654_AE6B, 0xAE, 0x83)
}
