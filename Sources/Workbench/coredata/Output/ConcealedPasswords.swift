import CoreDataPostgres
import CoreDataWorkbench

/// The passwords in URLs among the words of a command line: no line on standard error has them.
///
/// A URL may stand where none is read, such as in place of an entity, a predicate or a number, and messages repeat
/// what they refuse, or a part of it.
struct ConcealedPasswords {
    private static let greatestNumber = 8
    private let secrets: [Secret]

    /// What follows the scheme of a URL, and how much of it may be shown.
    private struct Secret {
        let text: [Unicode.Scalar]
        let shown: Int
    }

    /// Looks for URLs in words, and in what follows an equals sign in them.
    init(_ words: [String]) {
        secrets = words.flatMap(Self.urls).flatMap { Set([$0, PrintableText.escaped($0)]) }.compactMap(Self.secret)
            .sorted { $0.text.count > $1.text.count }
    }

    /// Whether a word has a scheme with a slash after it, or PostgreSQL's with a slip in what follows.
    ///
    /// What was copied along with a URL, such as a blank, a quotation mark or `psql`, may precede it; a path that begins
    /// with a slash, a dot or `~` is not like a URL.
    static func isLikeURL(_ word: String) -> Bool { url(in: word) != nil }

    /// A word from the scheme of its URL on; nil where it has none.
    private static func url(in word: String) -> String? {
        guard let first = word.first, !"/.~".contains(first) else { return nil }
        let scheme = /[A-Za-z][A-Za-z0-9+.\-]*:\/|(?i:postgres)[A-Za-z]*\s*(?:[:;：]|\/\/)/
        if let begin = word.prefixMatch(of: scheme) { return String(word[begin.range.lowerBound...]) }
        // Not behind what joins the parts of a path, a name or a pair of key and value.
        let separators = word.indices.dropLast().lazy.filter {
            !word[$0].isLetter && !word[$0].isNumber && !"/._~-+=".contains(word[$0])
        }
        return separators.map { word[word.index(after: $0)...] }.first { $0.prefixMatch(of: scheme) != nil }.map(
            String.init)
    }

    /// The line with an ellipsis for each URL of which it would show more than what precedes its password.
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

    /// What is not to be shown of a URL; nil for one without a password.
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
        // So little is found in any text: then the scheme goes along.
        let whole = Array(url.unicodeScalars)
        return Secret(text: whole, shown: whole.count - rest.count + shown)
    }

    /// What follows the scheme and the slashes behind it.
    private static func rest(of url: String) -> [Unicode.Scalar] {
        let scheme = url.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*\s*[:;：]?\/*/)
        return Array(url[(scheme?.range.upperBound ?? url.startIndex)...].unicodeScalars)
    }

    /// How many scalars two texts have in common at their beginning.
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
