import CoreDataModeling

extension ModelEdit {
    /// Parses the edits in a text, one on each line; ignores empty lines and those that begin with `#`.
    ///
    /// - Throws: `ModelEditError` of code `malformedEdit` with the number of the line as subject.
    package static func edits(in text: String) throws -> [ModelEdit] {
        var edits: [ModelEdit] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.filter { $0 != "\r" }
            guard let first = line.first(where: { !$0.isWhitespace }), first != "#" else { continue }
            do {
                edits.append(try ModelEdit(line))
            } catch let error as ModelEditError {
                throw ModelEditError(
                    error.code, subject: "line \(number + 1)", cause: "\(error.subject): \(error.cause)",
                    hint: error.hint)
            }
        }
        return edits
    }

    /// Parses an edit, such as `add attribute Hero.name type=String`.
    ///
    /// - Throws: `ModelEditError` of code `malformedEdit`.
    package init(_ line: String) throws { try self.init(words: EditWords.words(line)) }

    /// Creates an edit from its words, of which the first is the verb.
    ///
    /// - Throws: `ModelEditError` of code `malformedEdit`.
    package init(words: [String]) throws {
        var words = words[...]
        let verb = words.popFirst() ?? ""
        switch verb {
        case "add":
            let word = try Self.take(&words, "a kind", of: verb)
            guard let kind = SourceItemKind(rawValue: word), kind != .model else {
                throw Self.unknownKind(word)
            }
            self = .add(kind, try SourceItem(Self.take(&words, "an item", of: verb)), try Self.settings(words))
        case "set":
            let item = try SourceItem(Self.take(&words, "an item", of: verb))
            guard !words.isEmpty else { throw Self.missing("NAME=VALUE", of: verb) }
            self = .set(item, try Self.settings(words))
        case "rename":
            let flag = Self.takeFlag(&words, "--keep-identity")
            let item = try SourceItem(Self.take(&words, "an item", of: verb))
            self = .rename(item, to: try Self.take(&words, "a name", of: verb), keepsIdentity: flag)
            try Self.end(words, of: verb)
        case "remove":
            let flag = Self.takeFlag(&words, "--with-references")
            self = .remove(try SourceItem(Self.take(&words, "an item", of: verb)), withReferences: flag)
            try Self.end(words, of: verb)
        case "move":
            let item = try SourceItem(Self.take(&words, "an item", of: verb))
            self = .move(item, to: try Self.take(&words, "an entity", of: verb))
            try Self.end(words, of: verb)
        default:
            throw ModelEditError(
                .malformedEdit, subject: "'\(verb)'", cause: "there is no such edit",
                hint: "the edits are add, set, rename, remove and move")
        }
    }

    private static func take(_ words: inout ArraySlice<String>, _ what: String, of verb: String) throws -> String {
        guard let word = words.popFirst() else { throw missing(what, of: verb) }
        return word
    }

    private static func takeFlag(_ words: inout ArraySlice<String>, _ flag: String) -> Bool {
        guard let index = words.firstIndex(of: flag) else { return false }
        words.remove(at: index)
        return true
    }

    private static func end(_ words: ArraySlice<String>, of verb: String) throws {
        guard let word = words.first else { return }
        throw ModelEditError(.malformedEdit, subject: "'\(verb)'", cause: "'\(word)' is one word too many")
    }

    private static func missing(_ what: String, of verb: String) -> ModelEditError {
        ModelEditError(.malformedEdit, subject: "'\(verb)'", cause: "\(what) is missing")
    }

    private static func unknownKind(_ word: String) -> ModelEditError {
        let kinds = SourceItemKind.allCases.filter { $0 != .model }.map(\.rawValue)
        let near = NameSuggestion(for: word, in: kinds)?.question
        return ModelEditError(
            .malformedEdit, subject: "'\(word)'", cause: "there is no such kind of item",
            hint: near ?? "the kinds are " + kinds.joined(separator: ", "))
    }

    private static func settings(_ words: ArraySlice<String>) throws -> [OptionSetting] {
        try words.map { word in
            guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
                throw ModelEditError(.malformedEdit, subject: "'\(word)'", cause: "an option is set by NAME=VALUE")
            }
            let value = String(word[word.index(after: sign)...])
            return OptionSetting(String(word[..<sign]), value.isEmpty ? nil : value)
        }
    }
}
