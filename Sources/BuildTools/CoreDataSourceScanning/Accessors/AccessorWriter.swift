import CoreDataModelCompiler

/// Writes the source file with the accessors that the compiler's calls of `@NSManaged` properties and methods need.
///
/// Each accessor is a method in an extension of the class, with the symbol by which the compiler calls the property. It
/// is `dynamic`, so that the optimizer of another module does not look for the property's own code, which does not
/// exist.
struct AccessorWriter {
    /// The name of the file.
    static let fileName = "CoreDataManagedAccessors.swift"

    private let module: ScannedModule
    private let classes: ManagedClasses
    private(set) var findings: [ScanFinding] = []
    private var hiddenNames: [String: HiddenNames] = [:]

    init(_ module: ScannedModule, _ classes: ManagedClasses) {
        self.module = module
        self.classes = classes
    }

    /// The imports of the files that declare managed members, and those of Core Data and Foundation.
    var imports: [String] {
        let needed = module.files.filter { file in
            module.parts(of: file).contains { !$0.part.properties.isEmpty || !$0.part.methods.isEmpty }
        }
        return Set(needed.flatMap(\.plainImports) + ["import CoreData", "import Foundation"]).sorted()
    }

    /// Returns the extensions with the accessors for members whose symbols the compiler gave.
    mutating func text(_ entries: [AccessorSymbols.Entry]) -> String {
        var source = SourceText(head: [])
        let byPath = Dictionary(grouping: entries, by: \.path)
        for subject in classes.classes {
            guard let entries = byPath[subject.path] else { continue }
            let numbers = PropertyNumbers(subject, among: classes)
            source.add("")
            if let declaration = numbers.declaration { source.add(declaration, "") }
            // Callers find an accessor by its symbol only, so an accessor of a private class may be a method of a
            // superclass.
            source.add("extension \(SwiftName.escapedPath(classes.reachablePath(of: subject.path))) {")
            for (index, entry) in entries.enumerated() {
                let name = "\(module.name)_\(subject.path.replacing(".", with: "_"))_\(index)"
                switch entry.member {
                case .property(let property, let getter, let setter):
                    add(property, name: name, symbols: (getter, setter), of: subject, numbers: numbers, to: &source)
                case .method(let method, let symbol):
                    add(method, name: name, symbol: symbol, of: subject, numbers: numbers, to: &source)
                }
            }
            source.add("}")
        }
        return source.text
    }

    private mutating func add(
        _ property: ManagedProperty, name: String, symbols: (getter: String, setter: String),
        of subject: ManagedClass, numbers: PropertyNumbers, to source: inout SourceText
    ) {
        let (reading, writing): (String, String)
        if let key = ManagedClass.primitiveKey(property.name) {
            let literal = SwiftName.literal(key)
            reading = "primitiveManagedValue(\(literal))"
            writing = "setPrimitiveValue(value, forKey: \(literal))"
        } else if let number = numbers.number(of: property.name) {
            (reading, writing) = ("managedValue(\(number))", "setManagedValue(\(number), value)")
        } else {
            return
        }
        let type = visible(property.type, property.place, of: subject)
        source.add(Self.directive(property.place))
        source.add(
            head(symbols.getter, property.access) + "func coreDataGet_\(name)() -> \(type) { \(reading) }", depth: 1)
        source.add(
            head(symbols.setter, property.settingAccess)
                + "func coreDataSet_\(name)(_ value: __owned \(type)) { \(writing) }",
            depth: 1)
        source.add("#sourceLocation()")
    }

    private mutating func add(
        _ method: ManagedMethod, name: String, symbol: String, of subject: ManagedClass, numbers: PropertyNumbers,
        to source: inout SourceText
    ) {
        guard let call = MutatorCall(method), let number = numbers.number(of: call.key(known: subject.numberedKeys))
        else {
            findings.append(
                ScanFinding(
                    place: method.place,
                    message: "The @NSManaged method '\(method.fullName)' is none that a to-many relationship has: "
                        + "write its body, or name it like 'addToItems(_:)'."))
            return
        }
        var parameters: [String] = []
        for (place, parameter) in method.parameters.enumerated() {
            parameters.append("_ argument\(place): \(visible(parameter.type, method.place, of: subject))")
        }
        source.add(Self.directive(method.place))
        source.add(
            head(symbol, method.access) + "func coreDataCall_\(name)(\(parameters.joined(separator: ", "))) "
                + "{ \(call.block)(\(number), \(call.arguments)) }", depth: 1)
        source.add("#sourceLocation()")
    }

    /// A directive that makes the compiler report errors in the next line at the place in the user's source.
    private static func directive(_ place: CodePlace) -> String {
        "#sourceLocation(file: \(SwiftName.literal(place.file)), line: \(place.line))"
    }

    private func head(_ symbol: String, _ access: SourceAccess) -> String {
        // The file of a private member calls the accessor by its symbol, so the accessor must be internal at least.
        let word = min(max(access, .internal), .public).keyword
        return "@_silgen_name(\"\(symbol)\") nonisolated dynamic \(word) "
    }

    /// A type as the accessors' file can write it; reports a type that only its own file can name.
    private mutating func visible(_ type: String, _ place: CodePlace, of subject: ManagedClass) -> String {
        let names = hiddenNames[place.file] ?? HiddenNames(module, file: place.file, substitutes: classes.substitutes)
        hiddenNames[place.file] = names
        let text = names.visible(type, within: subject.path)
        if let hidden = names.hiddenType(in: text) {
            findings.append(
                ScanFinding(
                    place: place,
                    message: "The type '\(hidden)' of an @NSManaged member can be named only in its own file: make it "
                        + "internal."))
        }
        return text
    }
}
