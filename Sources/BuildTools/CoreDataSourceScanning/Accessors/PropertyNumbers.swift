import CoreDataModelCompiler

/// The numbers of a class's properties by their keys.
struct PropertyNumbers {
    private let numbering: Numbering
    private let keys: [String]

    /// A superclass is known if it is this module's and leaves its table alone.
    init(_ subject: ManagedClass, among classes: ManagedClasses) {
        keys = subject.numberedKeys
        numbering = Numbering(subject.path, superclass: subject.superclass) { name in
            classes[name].flatMap { $0.overridesTable ? nil : ($0.numberedKeys.count, $0.superclass) }
        }
    }

    /// The number of a key of the class as a source writes it; nil for a key that the class gives no number.
    func number(of key: String) -> String? { keys.lastIndex(of: key).map(numbering.number) }

    /// The declaration that the numbers need; nil where they need none.
    var declaration: String? { numbering.declaration }
}
