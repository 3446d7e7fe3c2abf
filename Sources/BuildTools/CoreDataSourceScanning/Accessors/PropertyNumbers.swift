import CoreDataModelCompiler

/// The property numbers of a class by key.
struct PropertyNumbers {
    private let numbering: Numbering
    private let keys: [String]

    /// A superclass counts as known if the module declares it and it does not override `propertyTable`.
    init(_ subject: ManagedClass, among classes: ManagedClasses) {
        keys = subject.numberedKeys
        numbering = Numbering(subject.path, superclass: subject.superclass) { name in
            classes[name].flatMap { $0.overridesTable ? nil : ($0.numberedKeys.count, $0.superclass) }
        }
    }

    /// The source text of the number of a key; nil if the class does not number the key.
    func number(of key: String) -> String? { keys.lastIndex(of: key).map(numbering.number) }

    /// The source of a declaration that the numbers refer to; nil if they refer to none.
    var declaration: String? { numbering.declaration }
}
