/// The sources of a class for a repository, as Xcode writes them, with `@NSManaged`, but such that they build on all
/// platforms.
///
/// Attributes that need the Objective-C runtime are inside `#if canImport(ObjectiveC)`.
package struct ManagedSource {
    private let subject: ModelClass
    private let options: ClassOptions

    package init(_ subject: ModelClass, options: ClassOptions = .xcode) {
        self.subject = subject
        self.options = options
    }

    private var name: String { SwiftName.escapedPath(subject.name) }

    /// The file of the class without its properties, to which the author adds code.
    package var classFile: GeneratedFile {
        var source = SourceText(head: ["", " \(subject.classFileName)", ""])
        source.add("", "import Foundation", "import CoreData", "")
        source.add(Self.attribute("@objc(\(subject.name))"))
        source.add("public class \(name): \(SwiftName.escapedPath(subject.superclass)) {", "")
        if options.addsValidation {
            for property in subject.properties where property.isAttribute { addRule(for: property, to: &source) }
        }
        source.add("}")
        return GeneratedFile(name: subject.classFileName, text: source.text)
    }

    /// The file of the class's properties, which is generated again when the model has changed.
    package var propertiesFile: GeneratedFile {
        var source = SourceText(head: ["", " \(subject.propertiesFileName)", ""])
        source.add("", "import Foundation", "import CoreData", "", "extension \(name) {", "")
        if let entity = subject.entityName {
            source.add("@nonobjc public class func fetchRequest() -> NSFetchRequest<\(name)> {", depth: 1)
            source.add("return NSFetchRequest<\(name)>(entityName: \(SwiftName.literal(entity)))", depth: 2)
            source.add("}", "", depth: 1)
        }
        for property in subject.properties { source.add(declaration(of: property), depth: 1) }
        source.add("", "}")
        for property in subject.properties { source.add(methods(of: property)) }
        if subject.superclass == ModelClass.root {
            source.add("", "extension \(name) : Identifiable {", "", "}")
        }
        return GeneratedFile(name: subject.propertiesFileName, text: source.text)
    }

    /// The generated source of one property: its declaration and, for a to-many relationship, its methods; nil if the
    /// class does not have the property.
    package func snippet(of key: String) -> String? {
        guard let property = subject.properties.first(where: { $0.key == key }) else { return nil }
        var source = SourceText(head: [])
        source.add(declaration(of: property))
        source.add(methods(of: property))
        return source.text
    }

    private func declaration(of property: ClassProperty) -> String {
        "@NSManaged public var \(SwiftName.escaped(property.key)): \(type(of: property))"
    }

    private func type(of property: ClassProperty) -> String {
        guard options.typesSets, case .toMany(let target, isOrdered: false) = property.kind else {
            return property.type
        }
        return "Set<\(target)>?"
    }

    private func methods(of property: ClassProperty) -> [String] {
        guard case .toMany(let target, let isOrdered) = property.kind else { return [] }
        let set = isOrdered ? "NSOrderedSet" : options.typesSets ? "Set<\(target)>" : "NSSet"
        let methods = ToManyMethod.methods(of: property.key, target: target, set: set, isOrdered: isOrdered)
        let lines = methods.flatMap { method in
            Self.attribute("@objc(\(method.selector))") + ["@NSManaged public func \(method.signature)", ""]
        }
        return ["", "// MARK: Generated accessors for \(property.key)", "extension \(name) {", ""]
            + lines.map { $0.isEmpty ? $0 : "    " + $0 } + ["}"]
    }

    /// Adds an empty method `validate<Key>(_:)` for an attribute, which validation calls.
    private func addRule(for property: ClassProperty, to source: inout SourceText) {
        let name = "validate" + SwiftName.capitalized(property.key)
        source.add(Self.attribute("@objc"), depth: 1)
        source.add(
            "public func \(name)(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {", "}", "", depth: 1)
    }

    /// The lines of a Swift attribute that needs the Objective-C runtime.
    private static func attribute(_ attribute: String) -> [String] {
        ["#if canImport(ObjectiveC)", attribute, "#endif"]
    }
}

extension ClassProperty {
    fileprivate var isAttribute: Bool {
        switch kind {
        case .attribute, .object: true
        case .toOne, .toMany, .fetched: false
        }
    }
}
