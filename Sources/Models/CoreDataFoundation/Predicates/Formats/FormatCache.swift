import Synchronization

/// The templates of format strings that were used recently, so that a repeated text is not parsed again.
///
/// Invariants:
/// 1. A template is found by its text and by the keys that are the arguments of its `%K` tokens.
/// 2. The cache returns what the parser would: a text or arguments that a template cannot serve are parsed.
/// 3. There are at most `mostTemplates`, with at most `mostBytes` of texts and keys; beyond that the cache is emptied.
package final class FormatCache: Sendable {
    package static let shared = FormatCache()
    package static let mostTemplates = 512
    package static let mostBytes = 256 * 1024
    /// Longer texts are parsed each time.
    private static let longestText = 4 * 1024

    private struct Key: Hashable {
        let format: String
        let keys: [String]
    }

    private enum Entry {
        case template(FormatTemplate)
        /// A text that must be parsed for each use, since its arguments affect more than the values of constants.
        case parsedEachTime
    }

    private struct Contents {
        /// For each text, the positions of the keys among the arguments.
        var keyPlaces: [String: [Int]] = [:]
        var entries: [Key: Entry] = [:]
        var bytes = 0
    }

    /// Guards the templates. Nothing is parsed while it is locked.
    private let contents = Mutex(Contents())
    private let parses = Atomic(0)

    package init() {}

    /// The number of times that a text was parsed.
    package var parseCount: Int { parses.load(ordering: .relaxed) }

    /// The number of templates and the bytes of their texts and keys.
    package var size: (templates: Int, bytes: Int) { contents.withLock { ($0.entries.count, $0.bytes) } }

    /// The predicate of a format string, from a template if there is one.
    ///
    /// - Throws: `PredicateParseError`.
    package func predicate(from format: String, arguments: [Any?]) throws -> NSPredicate {
        guard format.utf8.count <= Self.longestText else { return try parsed(format, arguments) }
        switch entry(format, arguments) {
        case .template(let template)?:
            return try template.predicate(with: arguments) ?? parsed(format, arguments)
        case .parsedEachTime?: return try parsed(format, arguments)
        case nil: return try parsedAgain(format, arguments)
        }
    }

    private func parsed(_ format: String, _ arguments: [Any?]) throws -> NSPredicate {
        parses.add(1, ordering: .relaxed)
        return try PredicateParser.predicate(from: format, arguments: arguments)
    }

    private func parsedAgain(_ format: String, _ arguments: [Any?]) throws -> NSPredicate {
        parses.add(1, ordering: .relaxed)
        if let template = PredicateParser.template(of: format, arguments: arguments) {
            remember(.template(template), format: format, keyPlaces: template.keyPlaces, arguments: arguments)
            if let predicate = template.predicate(with: arguments) { return predicate }
        }
        // A text is remembered only if it parses with these arguments.
        let predicate = try parsed(format, arguments)
        remember(.parsedEachTime, format: format, keyPlaces: [], arguments: arguments)
        return predicate
    }

    private func entry(_ format: String, _ arguments: [Any?]) -> Entry? {
        contents.withLock { contents in
            guard let places = contents.keyPlaces[format], let keys = Self.keys(places, arguments) else { return nil }
            return contents.entries[Key(format: format, keys: keys)]
        }
    }

    private func remember(_ entry: Entry, format: String, keyPlaces: [Int], arguments: [Any?]) {
        guard let keys = Self.keys(keyPlaces, arguments) else { return }
        let bytes = keys.reduce(format.utf8.count) { $0 + $1.utf8.count }
        guard bytes <= Self.longestText else { return }
        contents.withLock { contents in
            if contents.entries.count >= Self.mostTemplates || contents.bytes + bytes > Self.mostBytes {
                contents = Contents()
            }
            contents.keyPlaces[format] = keyPlaces
            if contents.entries.updateValue(entry, forKey: Key(format: format, keys: keys)) == nil {
                contents.bytes += bytes
            }
        }
    }

    private static func keys(_ places: [Int], _ arguments: [Any?]) -> [String]? {
        var keys: [String] = []
        for place in places {
            guard place < arguments.count, let key = flattened(arguments[place]) as? String else { return nil }
            keys.append(key)
        }
        return keys
    }
}
