import CoreData

/// Sections by a Boolean attribute, which `NSFetchedResultsController` names by the stored number, `0` or `1`.
enum BooleanSection {
    /// Whether a path ends at an attribute of type Boolean.
    static func isNamed(by path: String, of entity: NSEntityDescription) -> Bool {
        guard let route = try? KeyRoute(path, from: entity), case .attribute(let attribute) = route.end else {
            return false
        }
        return AttributeKind(attribute) == .boolean
    }

    /// The value that a section's name stands for; nil for the section of objects without a value.
    static func value(_ name: String) -> Bool? { Int(name).map { $0 != 0 } }

    /// The text of a value.
    static func text(_ value: Bool) -> String { ValueCoding.text(NSNumber(value: value), .boolean) ?? "" }
}
