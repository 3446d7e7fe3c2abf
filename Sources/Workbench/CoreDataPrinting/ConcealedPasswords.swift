import CoreDataPostgres
import CoreDataWorkbench

/// Removes the passwords of URLs on the command line from lines for standard error.
///
/// A URL may be given where none is expected, such as in place of an entity, a predicate or a number, and error
/// messages repeat what they refuse, or a part of it.
package struct ConcealedPasswords {
    private static let greatestNumber = 8
    private let secrets: [Secret]

    /// The part of a URL after its scheme, and the number of its first scalars that may be shown.
    private struct Secret {
        let text: [Unicode.Scalar]
        let shown: Int
    }

    /// Finds URLs in words, and in the parts of words after equals signs.
    init(_ words: [String]) {
        secrets = words.flatMap(Self.urls).flatMap { Set([$0, PrintableText.escaped($0)]) }.compactMap(Self.secret)
            .sorted { $0.text.count > $1.text.count }
    }

    /// Whether a word has a scheme with a slash after it, or PostgreSQL's scheme with a typing error after it.
    ///
    /// Characters that were copied with a URL, such as a blank, a quotation mark or `psql`, may precede it; a path that
    /// begins with a slash, a dot or `~` is not like a URL.
    package static func isLikeURL(_ word: String) -> Bool { url(in: word) != nil }

    /// The part of a word from the scheme of its URL on; nil if it contains no URL.
    private static func url(in word: String) -> String? {
        guard let first = word.first, !"/.~".contains(first) else { return nil }
        let scheme = /[A-Za-z][A-Za-z0-9+.\-]*:\/|(?i:postgres)[A-Za-z]*\s*(?:[:;：]|\/\/)/
        if let begin = word.prefixMatch(of: scheme) { return String(word[begin.range.lowerBound...]) }
        // A scheme does not begin after a character that joins the parts of a path, of a name, or of a key and its
        // value.
        let separators = word.indices.dropLast().lazy.filter {
            !word[$0].isLetter && !word[$0].isNumber && !"/._~-+=".contains(word[$0])
        }
        return separators.map { word[word.index(after: $0)...] }.first { $0.prefixMatch(of: scheme) != nil }.map(
            String.init)
    }

    /// The line with an ellipsis in place of each URL of which it would show more than the part before the password.
    func conceal(in line: String) -> String {
        guard !secrets.isEmpty else { return line }
        let scalars = secrets.reduce(Array(line.unicodeScalars), Self.concealed)
        return String(String.UnicodeScalarView(scalars))
    }

    private static func concealed(_ line: [Unicode.Scalar], _ secret: Secret) -> [Unicode.Scalar] {
        var (result, place) = ([Unicode.Scalar](), 0)
        while place < line.count {
            let isInWord = place > 0 && line[place - 1].properties.isAlphabetic
            let same = isInWord ? 0 : common(line[place...], secret.text)
            if same > secret.shown {
                result.append("…")
                place += same
            } else {
                result.append(line[place])
                place += 1
            }
        }
        return result
    }

    private static func urls(in word: String) -> [String] {
        let ends = word.indices.lazy.filter { word[$0] == "=" }.prefix(greatestNumber)
        return ([word[...]] + ends.map { word[word.index(after: $0)...] }).map(String.init).compactMap(url)
    }

    /// The secret of a URL; nil for a URL without a password.
    private static func secret(of url: String) -> Secret? {
        let rest = rest(of: url)
        var shown = 0
        if let place = URL(server: url)?.place {
            shown = common(rest, self.rest(of: place))
            guard shown < rest.count else { return nil }
            if rest[shown] == ":" { shown += 1 }
        } else if rest.contains("@"), let colon = rest.firstIndex(of: ":") {
            shown = colon + 1
        } else if let range = url.range(of: "password", options: .caseInsensitive) {
            shown = rest.count - url[range.upperBound...].unicodeScalars.count
        } else {
            return nil
        }
        guard shown < 2 else { return Secret(text: rest, shown: shown) }
        // So short a text would be found in any line, so it is searched together with the scheme.
        let whole = Array(url.unicodeScalars)
        return Secret(text: whole, shown: whole.count - rest.count + shown)
    }

    /// The part of a URL after its scheme and the slashes.
    private static func rest(of url: String) -> [Unicode.Scalar] {
        let scheme = url.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*\s*[:;：]?\/*/)
        return Array(url[(scheme?.range.upperBound ?? url.startIndex)...].unicodeScalars)
    }

    /// The length of the common prefix of two texts, in scalars.
    private static func common(
        _ one: some Sequence<Unicode.Scalar>, _ other: some Sequence<Unicode.Scalar>
    ) -> Int {
        var count = 0
        for (left, right) in zip(one, other) {
            guard left == right else { break }
            count += 1
        }
        return count
    }
}
