import CoreDataModelCompiler

/// The call of a library function that implements an `@NSManaged` method such as `addToPowers(_:)`.
struct MutatorCall: Equatable {
    /// The name of the library function, such as `addToMany`.
    let block: String
    /// The source of the arguments after the property's number; the method's parameters are named `argument0` and so
    /// on.
    let arguments: String
    /// The capitalized key in the method's name.
    private let name: String

    /// Nil for a method that is not a mutator of a to-many relationship.
    init?(_ method: ManagedMethod) {
        let labels = method.parameters.map(\.label)
        guard method.result.map({ ["Void", "()"].contains($0) }) ?? true,
            let form = Self.forms.first(where: { form in
                form.labels == labels && method.name.hasPrefix(form.prefix) && method.name.count > form.prefix.count
            })
        else { return nil }
        block = form.block
        name = String(method.name.dropFirst(form.prefix.count))
        let values = method.parameters.enumerated().map { place, parameter in
            let value = "argument\(place)" + Self.conversion(of: parameter.type)
            return parameter.label == "_" ? value : "\(parameter.label): \(value)"
        }
        arguments = values.joined(separator: ", ")
    }

    private static let forms: [(prefix: String, labels: [String], block: String)] = [
        ("addTo", ["_"], "addToMany"), ("removeFrom", ["_"], "removeFromMany"),
        ("insertInto", ["_", "at"], "insertIntoMany"), ("removeFrom", ["at"], "removeFromMany"),
        ("replace", ["at", "with"], "replaceInMany"),
    ]

    /// The source that converts an argument of an Objective-C collection type to the type of the function's parameter.
    private static func conversion(of type: String) -> String {
        switch type {
        case "NSIndexSet": " as IndexSet"
        case "NSArray": ".compactMap { $0 as? NSManagedObject }"
        default: ""
        }
    }

    /// The key of the method: the known key whose capitalized form is in its name, otherwise the name with a lowercase
    /// first letter.
    func key(known: [String]) -> String {
        known.first { SwiftName.capitalized($0) == name } ?? name.prefix(1).lowercased() + name.dropFirst()
    }

    /// The keys of the methods, each once.
    static func keys(of methods: [ManagedMethod], known: [String]) -> [String] {
        methods.reduce(into: []) { keys, method in
            guard let key = MutatorCall(method)?.key(known: known), !keys.contains(key) else { return }
            keys.append(key)
        }
    }
}
