import Foundation

/// An English text with places, and the same in another language.
struct SentencePattern: Sendable {
    /// What stands between the places, in UTF-8; one more than there are places.
    private let parts: [[UInt8]]
    /// The first and the last byte; nil where a place stands there. They rule out most patterns at once.
    private let ends: (first: UInt8?, last: UInt8?)
    /// Of each place, whether it stands in quotation marks.
    private let isQuoted: [Bool]
    private let text: String
    private let forms: PluralForms

    /// How many bytes are not filled in.
    var weight: Int { parts.reduce(0) { $0 + $1.count } }

    /// Returns nil for a text without places.
    init?(_ english: String, _ text: String, _ forms: PluralForms) {
        let found = Self.split(Array(english.utf8))
        guard found.count > 1 else { return nil }
        parts = found
        ends = (found[0].first, found[found.count - 1].last)
        isQuoted = zip(found, found.dropFirst()).map { before, after in
            guard let mark = before.last, mark == UInt8(ascii: "'") || mark == UInt8(ascii: "\"") else { return false }
            return mark == after.first
        }
        (self.text, self.forms) = (text, forms)
    }

    /// Splits at `{}`, and at `#` unless `{` follows.
    private static func split(_ english: [UInt8]) -> [[UInt8]] {
        var (parts, place) = ([[UInt8]()], 0)
        while place < english.count {
            let next = place + 1 < english.count ? english[place + 1] : 0
            switch english[place] {
            case UInt8(ascii: "{") where next == UInt8(ascii: "}"):
                parts.append([])
                place += 1
            case UInt8(ascii: "#") where next != UInt8(ascii: "{"): parts.append([])
            default: parts[parts.count - 1].append(english[place])
            }
            place += 1
        }
        return parts
    }

    /// What is filled in, each place as little as possible; nil for a text that the pattern does not match.
    func values(in english: [UInt8]) -> [String]? {
        guard ends.first == nil || ends.first == english.first, ends.last == nil || ends.last == english.last else {
            return nil
        }
        guard let last = parts.last, english.count >= weight, english.starts(with: parts[0]) else { return nil }
        let end = english.count - last.count
        guard english[end...].elementsEqual(last) else { return nil }
        var (values, place) = ([String](), parts[0].count)
        for part in parts[1..<(parts.count - 1)] {
            guard let found = Self.first(part, in: english, from: place, before: end) else { return nil }
            values.append(String(decoding: english[place..<found], as: UTF8.self))
            place = found + part.count
        }
        guard place <= end else { return nil }
        return values + [String(decoding: english[place..<end], as: UTF8.self)]
    }

    private static func first(_ part: [UInt8], in text: [UInt8], from start: Int, before end: Int) -> Int? {
        guard end - start >= part.count else { return nil }
        return (start...(end - part.count)).first { text[$0..<($0 + part.count)].elementsEqual(part) }
    }

    /// The text with its values, of which those without quotation marks may be texts of the table too.
    func text(_ values: [String], rules: PluralRules, locale: Locale, known: (String) -> String?) -> String {
        let form = forms.form(for: values, rules: rules)
        var (result, rest) = ("", (form ?? text)[...])
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}"), let number = Int(rest[rest.index(after: open)..<close]),
                values.indices.contains(number - 1)
            else {
                result += "{"
                rest = rest.dropFirst()
                continue
            }
            let value = values[number - 1]
            // Where a number decides the form, the numbers of the sentence are counts.
            if form != nil, let count = Int64(value) {
                result += FormatStyleTable(locale: locale).text(count)
            } else {
                result += isQuoted[number - 1] ? value : known(value) ?? value
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
