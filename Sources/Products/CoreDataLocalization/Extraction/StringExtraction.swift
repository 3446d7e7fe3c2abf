import Foundation

/// The texts of sources, property lists and models, collected for translators.
///
/// The result is a `.strings` file for each table, sorted by key, as `genstrings` makes it: with the comments of the sources, and
/// numbered arguments where a text has several, so that a translation may change their order.
public struct StringExtraction: Sendable {
    /// The comment of a text without one, as `genstrings` writes it.
    public static let noComment = "No comment provided by engineer."
    /// The end of the comment of a text that is in the table, and in no source any more.
    public static let staleMark = "Stale: no source has this key."
    /// The keys of property lists whose values are texts for users, as the browser's applications have them.
    public static let listKeys: Set<String> = [
        "title", "label", "subtitlePrefix", "header", "footer", "placeholder", "text",
    ]

    /// The texts by table and key, in the order in which they were found.
    private var found: [String: [String: [ExtractedText]]] = [:]

    /// A collection without texts.
    public init() {}

    /// Adds a text that a source has.
    public mutating func add(_ text: ExtractedText) {
        found[text.table ?? StringTables.standardTable, default: [:]][text.key, default: []].append(text)
    }

    /// Adds the texts of a property list: the values under some keys, at any depth.
    ///
    /// - Parameters:
    ///   - data: the list in XML or binary.
    ///   - keys: the keys whose values are texts for users.
    ///   - file: the file's name for comments.
    ///   - table: the table; left out, `Localizable`.
    /// - Throws: `StringTableError` for a list that cannot be read; nothing is added then.
    public mutating func add(
        propertyList data: Data, keys: Set<String> = listKeys, file: String, table: String? = nil
    ) throws {
        let list: ListValue
        do {
            list =
                data.starts(with: Data("bplist00".utf8))
                ? try BinaryListReader.list(data) : try XMLListReader.list(TableText.decode(data))
        } catch var error as StringTableError {
            error.file = file
            throw error
        }
        var waiting: [(value: ListValue, path: String)] = [(list, "")]
        while let (value, path) = waiting.popLast() {
            switch value {
            case .array(let values):
                waiting += values.enumerated().map { ($0.element, path + "\($0.offset).") }.reversed()
            case .dictionary(let pairs):
                for (key, value) in pairs {
                    guard keys.contains(key), case .text(let text) = value, !text.isEmpty else { continue }
                    add(ExtractedText(text, comment: "\(file), \(path)\(key)", table: table, place: file))
                }
                waiting += pairs.map { ($0.value, path + $0.key + ".") }.reversed()
            default: continue
            }
        }
    }

    /// Adds the names of a model's entities and properties, with the keys of `localizationDictionary`: `Entity/Hero`,
    /// `Property/name/Entity/Hero`.
    ///
    /// - Parameters:
    ///   - entities: the names of entities, each with those of its own properties.
    ///   - table: the table, by Apple's rule the model's name with `Model` behind it.
    public mutating func add(entities: [(name: String, properties: [String])], table: String) {
        for entity in entities {
            add(
                ExtractedText(
                    "Entity/\(entity.name)", text: entity.name, comment: "The name of the entity \(entity.name)",
                    table: table))
            for property in entity.properties {
                add(
                    ExtractedText(
                        "Property/\(property)/Entity/\(entity.name)", text: property,
                        comment: "The property \(property) of the entity \(entity.name)", table: table))
            }
        }
    }

    /// The names of the tables that there are texts for.
    public var tables: [String] { found.keys.sorted() }

    /// Keys that sources give different comments or texts, which translators cannot distinguish; for a warning.
    public func conflicts(in table: String = StringTables.standardTable) -> [(key: String, texts: [ExtractedText])] {
        (found[table] ?? [:]).sorted { $0.key < $1.key }.compactMap { key, texts in
            let first = texts.first
            let differs = texts.contains { $0.text != first?.text || $0.comment != first?.comment }
            return differs ? (key, texts) : nil
        }
    }

    /// A table as a `.strings` file.
    public func file(_ table: String = StringTables.standardTable) -> StringsFile {
        StringsFile(
            (found[table] ?? [:]).sorted { $0.key < $1.key }.map { key, texts in
                StringsFile.Entry(key, NumberedFormat.text(texts.first?.text ?? key), comment: Self.comment(of: texts))
            })
    }

    /// A table merged with the file of a language that is there.
    ///
    /// Texts of the file stay, with their order; comments become those of the sources. Keys that are new are added at the end with the
    /// text of the development language. Keys that no source has any more stay, and their comment says so.
    public func merged(
        with existing: StringsFile, table: String = StringTables.standardTable
    ) -> (file: StringsFile, added: [String], stale: [String]) {
        let new = file(table)
        let comments = Dictionary(new.entries.map { ($0.key, $0.comment) }, uniquingKeysWith: { one, _ in one })
        let texts = existing.texts
        var (entries, seen, stale): ([StringsFile.Entry], Set<String>, [String]) = ([], [], [])
        for entry in existing.entries where seen.insert(entry.key).inserted {
            var kept = StringsFile.Entry(entry.key, texts[entry.key] ?? entry.text, comment: entry.comment)
            if let comment = comments[entry.key] {
                kept.comment = comment
            } else {
                stale.append(entry.key)
                let isMarked = entry.comment?.hasSuffix(Self.staleMark) ?? false
                if !isMarked {
                    kept.comment = [entry.comment, Self.staleMark].compactMap { $0 }.joined(separator: "\n   ")
                }
            }
            entries.append(kept)
        }
        let added = new.entries.filter { !seen.contains($0.key) }
        return (StringsFile(entries + added), added.map(\.key), stale)
    }

    private static func comment(of texts: [ExtractedText]) -> String {
        var comments: [String] = []
        for case let comment? in texts.map(\.comment) where !comment.isEmpty && !comments.contains(comment) {
            comments.append(comment)
        }
        return comments.isEmpty ? noComment : comments.joined(separator: "\n   ")
    }
}

/// Texts whose arguments have numbers.
enum NumberedFormat {
    /// The text with a number in each specifier if it has several and none has a number or takes a width from the arguments.
    static func text(_ text: String) -> String {
        let format = FormatString(text)
        let specifiers = format.parts.compactMap { part -> FormatString.Specifier? in
            if case .value(let specifier) = part { specifier } else { nil }
        }
        let isPlain = specifiers.allSatisfy {
            $0.position == nil && $0.width != .argument && $0.precision != .argument
        }
        guard specifiers.count > 1, isPlain, format.variables.isEmpty else { return text }
        var (result, number) = ("", 0)
        for part in format.parts {
            switch part {
            case .text(let plain): result += plain.replacing("%", with: "%%")
            case .value(let specifier):
                number += 1
                result += "%\(number)$" + specifier.source.dropFirst()
            case .ownValue: result += "%arg"
            case .variable(_, _, let source): result += source
            }
        }
        return result
    }
}
