/// How a program joins what it says: a subject and what is said of it, several sentences, and what helps.
struct SentenceJoint {
    let first: String
    let between: String
    let second: String
    let end: String

    /// The text divided behind each sentence that another one follows.
    static func sentences(_ text: String) -> [SentenceJoint] {
        text.indices.compactMap { place in
            guard ".!?".contains(text[place]) else { return nil }
            let next = text.index(after: place)
            let start = text[next...].firstIndex { !$0.isWhitespace } ?? text.endIndex
            guard start > next, start < text.endIndex, ("A"..."Z").contains(text[start]) else { return nil }
            return SentenceJoint(
                first: String(text[..<next]), between: String(text[next..<start]), second: String(text[start...]),
                end: "")
        }
    }

    /// The text divided at the first of each joint that it has: what helps in brackets at the end, a colon, a semicolon or comma, the
    /// end of a sentence.
    static func parts(_ text: String) -> [SentenceJoint] {
        var parts: [SentenceJoint] = []
        if text.hasSuffix(")"), let open = first(" (", in: text) {
            parts.append(
                SentenceJoint(
                    first: String(text[..<open.lowerBound]), between: " (",
                    second: String(text[open.upperBound...].dropLast()), end: ")"))
        }
        if let colon = first(": ", in: text) { parts.append(SentenceJoint(text, at: colon)) }
        let signs = ["; ", ", "].compactMap { first($0, in: text) }
        if let sign = signs.min(by: { $0.lowerBound < $1.lowerBound }) { parts.append(SentenceJoint(text, at: sign)) }
        if let end = text.indices.first(where: { place in
            ".!?".contains(text[place]) && text[text.index(after: place)...].first?.isWhitespace == true
        }) {
            let next = text.index(after: end)
            let start = text[next...].firstIndex { !$0.isWhitespace } ?? text.endIndex
            parts.append(SentenceJoint(text, at: next..<start))
        }
        return parts
    }

    private static func first(_ sign: String, in text: String) -> Range<String.Index>? {
        let (mark, space) = (sign.first, sign.last)
        return text.indices.first { place in
            let next = text.index(after: place)
            return text[place] == mark && next < text.endIndex && text[next] == space
        }.map { $0..<text.index($0, offsetBy: 2) }
    }
}

extension SentenceJoint {
    private init(_ text: String, at range: Range<String.Index>) {
        self.init(
            first: String(text[..<range.lowerBound]), between: String(text[range]),
            second: String(text[range.upperBound...]), end: "")
    }
}
