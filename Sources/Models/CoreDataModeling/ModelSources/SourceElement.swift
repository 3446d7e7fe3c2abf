import CoreDataFoundation

/// An element of a model's source while it is read; attributes that have been read are removed.
struct SourceElement {
    let name: String
    let place: SourcePlace
    /// The value of the attribute `name`.
    let title: String?
    private let faults: SourceFaults
    private(set) var attributes: [String: String]

    /// - Parameter faults: collects what cannot be read; reading continues as if it were missing.
    init(_ element: ModelElement, faults: SourceFaults) {
        name = element.name
        place = element.place
        self.faults = faults
        attributes = Dictionary(element.attributes.map { ($0.name, $0.value) }) { first, _ in first }
        title = attributes["name"]
    }

    var line: Int { place.line }

    /// Notes of the attributes that have not been read, sorted by name.
    var notes: [String] { attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }

    mutating func take(_ key: String) -> String? { attributes.removeValue(forKey: key) }

    /// Takes the text of an attribute; nil if it is missing or empty.
    mutating func takeText(_ key: String) -> String? {
        guard let text = take(key), !text.isEmpty else { return nil }
        return text
    }

    /// Takes the text of an attribute; reports a fault and returns an empty text if it is missing.
    mutating func takeRequired(_ key: String) -> String {
        if let text = takeText(key) { return text }
        fault("<\(name)> has no '\(key)'")
        return ""
    }

    mutating func takeFlag(_ key: String) -> Bool? {
        switch take(key) {
        case nil: return nil
        case "YES": return true
        case "NO": return false
        case let other?:
            fault("'\(key)' of <\(name)> is '\(other)', neither YES nor NO")
            return nil
        }
    }

    mutating func takeInteger(_ key: String) -> Int? {
        guard let text = take(key) else { return nil }
        if let number = Int(text) { return number }
        fault("'\(key)' of <\(name)> is no integer: '\(text)'")
        return nil
    }

    /// Reports that something in the element cannot be read.
    func fault(_ cause: String, _ rule: ModelRule = DocumentRules.malformedValue) {
        faults.add(rule, cause, in: self)
    }

    /// Puts a value back among the attributes, so that it becomes a note.
    mutating func noteBack(_ key: String, _ value: String) {
        attributes[key] = value
    }
}
