/// The numbers by which the accessors of a class name its properties in the class's property table.
///
/// A table begins with the superclass's. Where all superclasses are generated as a whole, nobody can have given them other
/// tables, and the numbers are known here; otherwise they count from where the superclass's table ends, which is asked once.
struct Numbering {
    /// The number of the first property; nil where it is to be asked.
    let first: Int?
    private let subject: ModelClass

    init(_ subject: ModelClass, among classes: ModelClasses) {
        self.subject = subject
        var count = 0
        var name = subject.superclass
        while name != ModelClass.root {
            guard let ancestor = classes[name], ancestor.generation == .definition else {
                first = nil
                return
            }
            count += ancestor.properties.count
            name = ancestor.superclass
        }
        first = count
    }

    /// The number of a property of the class as a source writes it.
    func number(_ index: Int) -> String {
        guard let first else { return index == 0 ? name : "\(name) + \(index)" }
        return "\(first + index)"
    }

    /// The declaration that the numbers need; nil where they need none.
    var declaration: String? {
        guard first == nil else { return nil }
        let superclass = SwiftName.escapedPath(subject.superclass)
        return "nonisolated private let \(name) = PropertyTable.of(\(superclass).self).keys.count"
    }

    private var name: String { "firstNumberOf" + subject.name.split(separator: ".").joined() }
}
