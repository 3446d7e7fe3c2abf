/// The numbers by which the accessors of a class name its properties in the class's property table.
///
/// A table begins with the superclass's. Where the tables of all superclasses are known, the numbers are known here;
/// otherwise they count from where the superclass's table ends, which is read once.
package struct Numbering {
    /// The number of the first property; nil where it is read at run time.
    private let first: Int?
    private let superclass: String
    private let name: String

    /// Counts along the superclasses of the class at `path`.
    ///
    /// `known` gives how many properties a superclass has itself, and what it inherits from; nil where a source may say
    /// otherwise.
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

    /// The number of a property of the class as a source writes it.
    package func number(_ index: Int) -> String {
        guard let first else { return index == 0 ? name : "\(name) + \(index)" }
        return "\(first + index)"
    }

    /// The declaration that the numbers need; nil where they need none.
    package var declaration: String? {
        guard first == nil else { return nil }
        let superclass = SwiftName.escapedPath(superclass)
        return "nonisolated private let \(name) = PropertyTable.of(\(superclass).self).keys.count"
    }
}
