/// The sources of a class that a build generates: accessors that read and write slots by number.
///
/// They declare what Xcode's sources declare, without `@NSManaged` and `@objc`. Each build generates them again; they
/// must not be edited.
package struct AccessorSource {
    private let subject: ModelClass
    private let numbering: Numbering

    package init(_ subject: ModelClass, among classes: ModelClasses) {
        self.subject = subject
        // The number of properties of a superclass is certain only if the superclass is generated completely.
        numbering = Numbering(subject.name, superclass: subject.superclass) { name in
            classes[name].flatMap { $0.generation == .definition ? ($0.properties.count, $0.superclass) : nil }
        }
    }

    /// The files to generate for the class.
    package var files: [GeneratedFile] {
        switch subject.generation {
        case .definition: [classFile, propertiesFile]
        case .extension: [propertiesFile]
        case .manual: []
        }
    }

    private var name: String { SwiftName.escapedPath(subject.name) }

    private var classFile: GeneratedFile {
        var source = SourceText(head: [subject.classFileName, "", SourceText.untouchable])
        source.add("", "import Foundation", "import CoreData", "")
        source.add("nonisolated public class \(name): \(SwiftName.escapedPath(subject.superclass)) {", "", "}")
        return GeneratedFile(name: subject.classFileName, text: source.text)
    }

    private var propertiesFile: GeneratedFile {
        var source = SourceText(head: [subject.propertiesFileName, "", SourceText.untouchable])
        source.add("", "import Foundation", "import CoreData", "")
        if let declaration = numbering.declaration { source.add(declaration, "") }
        source.add("nonisolated extension \(name) {", "")
        if let entity = subject.entityName {
            source.add("@nonobjc public class func fetchRequest() -> NSFetchRequest<\(name)> {", depth: 1)
            source.add("return NSFetchRequest<\(name)>(entityName: \(SwiftName.literal(entity)))", depth: 2)
            source.add("}", "", depth: 1)
        }
        for (index, property) in subject.properties.enumerated() {
            add(property, numbering.number(index), to: &source)
        }
        source.add("", "}")
        for (index, property) in subject.properties.enumerated() {
            addMethods(of: property, numbering.number(index), to: &source)
        }
        if subject.superclass == ModelClass.root {
            source.add("", "nonisolated extension \(name) : Identifiable {", "", "}")
        }
        return GeneratedFile(name: subject.propertiesFileName, text: source.text)
    }

    private func add(_ property: ClassProperty, _ number: String, to source: inout SourceText) {
        let blocks = property.blocks
        source.add("public var \(SwiftName.escaped(property.key)): \(property.type) {", depth: 1)
        if let set = blocks.set {
            source.add("get { \(blocks.get)(\(number)) }", "set { \(set)(\(number), newValue) }", depth: 2)
        } else {
            source.add("\(blocks.get)(\(number))", depth: 2)
        }
        source.add("}", depth: 1)
    }

    private func addMethods(of property: ClassProperty, _ number: String, to source: inout SourceText) {
        guard case .toMany(let target, let isOrdered) = property.kind else { return }
        source.add("", "// MARK: Generated accessors for \(property.key)", "nonisolated extension \(name) {")
        let methods = ToManyMethod.methods(
            of: property.key, target: target, set: isOrdered ? "NSOrderedSet" : "NSSet", isOrdered: isOrdered)
        for method in methods {
            source.add("", depth: 1)
            source.add("public func \(method.signature) {", depth: 1)
            source.add("\(method.block)(\(number), \(method.arguments))", depth: 2)
            source.add("}", depth: 1)
        }
        source.add("", "}")
    }
}

extension ClassProperty {
    /// The names of the library's functions that read and write the property by its number.
    fileprivate var blocks: (get: String, set: String?) {
        switch kind {
        case .attribute: ("attribute", "setAttribute")
        case .object: ("attributeObject", "setAttributeObject")
        case .toOne: ("toOne", "setToOne")
        case .toMany: ("toMany", "setToMany")
        case .fetched: ("fetchedObjects", nil)
        }
    }
}
