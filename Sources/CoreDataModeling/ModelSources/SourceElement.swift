import CoreDataFoundation

/// An element of a model's source while it is read: attributes are taken out as they are understood.
struct SourceElement {
    let name: String
    let place: SourcePlace
    private(set) var attributes: [String: String]

    init(_ element: ModelElement) {
        name = element.name
        place = element.place
        attributes = Dictionary(element.attributes.map { ($0.name, $0.value) }) { first, _ in first }
    }

    var line: Int { place.line }

    /// What nobody has taken, as notes in a stable order.
    var notes: [String] { attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }

    mutating func take(_ key: String) -> String? { attributes.removeValue(forKey: key) }

    /// The text of an attribute; nil if it is absent or empty.
    mutating func takeText(_ key: String) -> String? {
        guard let text = take(key), !text.isEmpty else { return nil }
        return text
    }

    mutating func takeRequired(_ key: String) throws -> String {
        guard let text = takeText(key) else { throw malformed("<\(name)> has no '\(key)'") }
        return text
    }

    mutating func takeFlag(_ key: String) throws -> Bool? {
        switch take(key) {
        case nil: nil
        case "YES": true
        case "NO": false
        case let other?: throw malformed("'\(key)' of <\(name)> is '\(other)', neither YES nor NO")
        }
    }

    mutating func takeInteger(_ key: String) throws -> Int? {
        guard let text = take(key) else { return nil }
        guard let number = Int(text) else { throw malformed("'\(key)' of <\(name)> is no integer: '\(text)'") }
        return number
    }

    func malformed(_ cause: String) -> ModelingError { ModelingError(.malformed, cause, at: place) }

    /// Returns a value to the attributes, so that it becomes a note.
    mutating func noteBack(_ key: String, _ value: String) {
        attributes[key] = value
    }
}
