/// The numbers by which the accessors of a class refer to properties in the class's property table.
///
/// A table begins with that of the superclass. If the properties of all superclasses are known, the numbers are
/// constants; otherwise they are relative to the size of the superclass's table, which generated code reads once.
package struct Numbering {
    /// The number of the first property; nil if generated code reads it at run time.
    private let first: Int?
    private let superclass: String
    private let name: String

    /// Computes the first number by adding the properties of the superclasses of the class at `path`.
    ///
    /// `known` returns the number of properties that a superclass declares, and its superclass; nil if source code may
    /// change the number.
    package init(_ path: String, superclass: String, known: (String) -> (count: Int, superclass: String)?) {
        self.superclass = superclass
        name = "firstNumberOf" + path.split(separator: ".").joined()
        var count = 0
        var visited: Set = [path]
        var next = superclass
        while next != ModelClass.root {
            guard visited.insert(next).inserted, let ancestor = known(next) else {
                first = nil
                return
            }
            count += ancestor.count
            next = ancestor.superclass
        }
        first = count
    }

    /// The expression for the number of a property in a source.
    package func number(_ index: Int) -> String {
        guard let first else { return index == 0 ? name : "\(name) + \(index)" }
        return "\(first + index)"
    }

    /// The declaration of the constant that the numbers use; nil if they are constants themselves.
    package var declaration: String? {
        guard first == nil else { return nil }
        let superclass = SwiftName.escapedPath(superclass)
        return "nonisolated private let \(name) = PropertyTable.of(\(superclass).self).keys.count"
    }
}
