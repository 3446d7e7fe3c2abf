import CoreDataModeling

extension KeyRename {
    /// The greatest number of occurrences in a text for which all combinations of replaced occurrences are tried.
    private static let greatestCount = 8

    /// The text of a predicate with the new name in place of the old one; nil if the text does not parse.
    ///
    /// Changes only the keys in the text, if the result parses to the same predicate as renaming the keys in the parsed
    /// predicate gives. If no choice of replaced keys does, returns the format string of that predicate.
    func followed(
        predicate text: String, of entity: DocumentNames.Owner, variables: [String: DocumentNames.Owner] = [:]
    ) -> String? {
        guard let before = try? NSPredicate(parsing: text),
            let after = try? followed(before, of: entity, variables)
        else { return nil }
        let wanted = after.formatString
        guard wanted != before.formatString else { return text }
        return exchanged(in: text) { (try? NSPredicate(parsing: $0))?.formatString == wanted } ?? wanted
    }

    /// The text of an expression with the new name; nil if the text does not parse.
    func followed(expression text: String, of entity: DocumentNames.Owner) -> String? {
        guard let before = try? NSExpression(parsing: text), let after = try? followed(before, of: entity) else {
            return nil
        }
        let wanted = after.formatString
        guard wanted != before.formatString else { return text }
        return exchanged(in: text) { (try? NSExpression(parsing: $0))?.formatString == wanted } ?? wanted
    }

    /// The text of a derivation (`canonical:(name)`, `pages.@count`) with the new name.
    func followed(derivation text: String, of entity: DocumentNames.Owner) -> String {
        var result = ""
        var rest = text[...]
        while let first = rest.first {
            let word = rest.prefix { $0.isLetter || $0.isNumber || "_.@".contains($0) }
            guard !word.isEmpty else {
                result.append(first)
                rest = rest.dropFirst()
                continue
            }
            rest = rest[word.endIndex...]
            let isFunction = rest.first == ":" || rest.first == "("
            result += isFunction ? String(word) : followed(String(word), from: entity).path
        }
        return result
    }

    /// The text with the new name at those occurrences of the old one for which `isRight` accepts it; nil if there are
    /// none.
    ///
    /// Tries all occurrences together first, then each combination of up to `greatestCount` occurrences.
    private func exchanged(in text: String, _ isRight: (String) -> Bool) -> String? {
        let places = KeyPlaces.all(of: from, in: text)
        let spelled = NSExpression(.keyPath(operand: nil, path: to)).formatString
        func exchanging(_ chosen: [Range<String.Index>]) -> String {
            var result = ""
            var index = text.startIndex
            for place in chosen {
                let isEscaped = place.lowerBound > text.startIndex && text[text.index(before: place.lowerBound)] == "#"
                result += text[index..<place.lowerBound] + (isEscaped ? to : spelled)
                index = place.upperBound
            }
            return result + text[index...]
        }
        let whole = exchanging(places)
        if isRight(whole) { return whole }
        guard places.count <= Self.greatestCount else { return nil }
        for choice in 1..<max(1, 1 << places.count) {
            let chosen = places.enumerated().filter { choice & (1 << $0.offset) != 0 }.map(\.element)
            let candidate = exchanging(chosen)
            if isRight(candidate) { return candidate }
        }
        return nil
    }
}

/// Finds the occurrences of a name in a predicate's text, as a whole word outside of quotes and not after `$`, `@`,
/// `%`.
enum KeyPlaces {
    static func all(of name: String, in text: String) -> [Range<String.Index>] {
        var places: [Range<String.Index>] = []
        var index = text.startIndex
        var before: Character?
        while index < text.endIndex {
            let character = text[index]
            if character == "\"" || character == "'" {
                index = end(ofQuoteAt: index, in: text)
                before = character
                continue
            }
            let word = text[index...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            guard !word.isEmpty else {
                before = character
                index = text.index(after: index)
                continue
            }
            if word == name, before != "$", before != "@", before != "%" { places.append(index..<word.endIndex) }
            index = word.endIndex
            before = word.last
        }
        return places
    }

    private static func end(ofQuoteAt start: String.Index, in text: String) -> String.Index {
        let quote = text[start]
        var index = text.index(after: start)
        while index < text.endIndex, text[index] != quote {
            index = text.index(after: index)
            if text[text.index(before: index)] == "\\", index < text.endIndex { index = text.index(after: index) }
        }
        return index < text.endIndex ? text.index(after: index) : index
    }
}
