import CoreDataModelCompiler

/// The numbers by which the accessors of a class name properties in the class's property table.
///
/// A table begins with the superclass's. Where all superclasses are this module's and leave their tables alone, the numbers
/// are known here; otherwise they count from where the superclass's table ends, which is asked once.
struct PropertyNumbers {
    private let first: Int?
    private let subject: ManagedClass
    private let keys: [String]

    init(_ subject: ManagedClass, among classes: ManagedClasses) {
        self.subject = subject
        keys = subject.numberedKeys
        var count = 0
        var visited: Set = [subject.path]
        var name = subject.superclass
        while name != ModelClass.root {
            guard let ancestor = classes[name], !ancestor.overridesTable, visited.insert(name).inserted else {
                first = nil
                return
            }
            count += ancestor.numberedKeys.count
            name = ancestor.superclass
        }
        first = count
    }

    /// The number of a key of the class as a source writes it; nil for a key that the class gives no number.
    func number(of key: String) -> String? {
        guard let index = keys.lastIndex(of: key) else { return nil }
        guard let first else { return index == 0 ? name : "\(name) + \(index)" }
        return "\(first + index)"
    }

    /// The declaration that the numbers need; nil where they need none.
    var declaration: String? {
        guard first == nil else { return nil }
        let superclass = SwiftName.escapedPath(subject.superclass)
        return "nonisolated private let \(name) = PropertyTable.of(\(superclass).self).keys.count"
    }

    private var name: String { "firstManagedOf" + subject.path.split(separator: ".").joined() }
}
