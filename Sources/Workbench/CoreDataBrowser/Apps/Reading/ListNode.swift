import CoreData

/// A value of a property list with its place in the file.
///
/// A value of an unexpected type is noted as a problem and counts as missing; so does an empty text, which is not
/// noted.
struct ListNode {
    /// The number of elements that are read of an array; further ones are ignored.
    static let greatestCount = 1_000
    /// A text of more UTF-8 bytes counts as missing.
    static let greatestLength = 4_096

    let value: PropertyList
    let file: String
    let place: String
    let problems: ListProblemCollector

    init(_ value: PropertyList, file: String, place: String = "", problems: ListProblemCollector) {
        self.value = value
        self.file = file
        self.place = place
        self.problems = problems
    }

    /// Notes a problem at the value, or at one of its members.
    func note(_ text: String, at key: String? = nil) { problems.add(file, place: key.map(below) ?? place, text: text) }

    /// Whether the dictionary has a value for a key.
    func has(_ key: String) -> Bool { value.dictionary?[key] != nil }

    /// A text; nil for a missing or empty one.
    func string(_ key: String) -> String? {
        guard let member = value.dictionary?[key] else { return nil }
        return text(member, at: key)
    }

    /// A Boolean, for which 0 and 1 may stand; `standard` if the value is missing or of another type.
    func flag(_ key: String, default standard: Bool) -> Bool {
        switch value.dictionary?[key] {
        case nil: return standard
        case .boolean(let flag): return flag
        case .integer(let number) where number == 0 || number == 1: return number == 1
        case .some(let other):
            note("a truth value is expected, not \(Self.article(other))", at: key)
            return standard
        }
    }

    /// An integer; `standard` if the value is missing, not an integer or out of `range`.
    func number(_ key: String, default standard: Int, in range: ClosedRange<Int>) -> Int {
        guard let member = value.dictionary?[key] else { return standard }
        guard let number = member.integer.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            note("a whole number from \(range.lowerBound) to \(range.upperBound) is expected", at: key)
            return standard
        }
        return number
    }

    /// The texts of an array; empty texts and elements of other types are left out.
    func strings(_ key: String) -> [String] {
        elements(key).compactMap { node in node.text(node.value, at: nil) }
    }

    /// The dictionaries of an array.
    func nodes(_ key: String) -> [ListNode] {
        elements(key).filter { node in
            guard node.value.dictionary == nil else { return true }
            node.note("a dictionary is expected, not \(Self.article(node.value))")
            return false
        }
    }

    /// A dictionary.
    func node(_ key: String) -> ListNode? {
        guard let member = value.dictionary?[key] else { return nil }
        guard member.dictionary != nil else {
            note("a dictionary is expected, not \(Self.article(member))", at: key)
            return nil
        }
        return ListNode(member, file: file, place: below(key), problems: problems)
    }

    /// The elements of an array, at most the first thousand.
    func elements(_ key: String) -> [ListNode] {
        guard let member = value.dictionary?[key] else { return [] }
        guard let array = member.array else {
            note("an array is expected, not \(Self.article(member))", at: key)
            return []
        }
        if array.count > Self.greatestCount { note("only the first \(Self.greatestCount) elements count", at: key) }
        return array.prefix(Self.greatestCount).enumerated().map { index, element in
            ListNode(element, file: file, place: below("\(key).\(index)"), problems: problems)
        }
    }

    private func text(_ value: PropertyList, at key: String?) -> String? {
        guard let text = value.string else {
            note("a text is expected, not \(Self.article(value))", at: key)
            return nil
        }
        guard text.utf8.count <= Self.greatestLength else {
            note("the text has more than \(Self.greatestLength) bytes", at: key)
            return nil
        }
        return text.isEmpty ? nil : text
    }

    private func below(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

    private static func article(_ value: PropertyList) -> String {
        let name = value.typeName
        return "aeiou".contains(name.prefix(1)) ? "an \(name)" : "a \(name)"
    }
}
