import CoreData

/// Sections by an attribute of type Boolean: the controller names them by the number that is stored, `0` and `1`.
enum BooleanSection {
    /// Whether a path ends at an attribute of type Boolean.
    static func isNamed(by path: String, of entity: NSEntityDescription) -> Bool {
        guard let route = try? KeyRoute(path, from: entity), case .attribute(let attribute) = route.end else {
            return false
        }
        return AttributeKind(attribute) == .boolean
    }

    /// The value of a section's objects; nil for a section of objects without one.
    static func value(_ name: String) -> Bool? { Int(name).map { $0 != 0 } }

    /// How a value is written in one line.
    static func text(_ value: Bool) -> String { ValueCoding.text(NSNumber(value: value), .boolean) ?? "" }
}
