import CoreDataFoundation
import FoundationXML

/// Reads the XML of a model's source (`contents` of an `.xcdatamodel`) into an assembly.
///
/// | inside | elements |
/// |---|---|
/// | – | `model` |
/// | `model` | `entity`, `fetchRequest`, `configuration`, `composite`, `elements` |
/// | `entity` | `attribute`, `relationship`, `fetchedProperty`, `fetchIndex`, `uniquenessConstraints`, `compoundIndexes`, `userInfo` |
/// | a property | `userInfo`; in `fetchedProperty` also `fetchRequest` |
///
/// Anything else is skipped and noted. Source: the files that Xcode 4.1 and later write.
final class ModelSourceReader: NSObject, XMLParserDelegate {
    static let greatestDepth = 64

    enum Context {
        case document
        case model
        case entity(NSEntityDescription)
        case property(NSPropertyDescription)
        case fetchIndex(NSFetchIndexDescription)
        /// A list of groups of names: uniqueness constraints or compound indexes.
        case groups(NSEntityDescription, String)
        case group
        case userInfo
        case configuration
        case composite
        /// Something without children of interest.
        case leaf
    }

    var assembly = ModelAssembly(isSource: true)
    var stack: [Context] = [.document]
    var properties: [NSPropertyDescription] = []
    var userInfo: [String: String] = [:]
    var groups: [[String]] = []
    var members: [String] = []
    var indexes: [NSFetchIndexDescription] = []
    var indexElements: [NSFetchIndexElementDescription] = []
    var composites: [String: [NSAttributeDescription]] = [:]
    var compositeUses: [(attribute: NSCompositeAttributeDescription, line: Int)] = []
    var compositeElements: [NSAttributeDescription] = []
    var openName = ""
    private var hasModel = false
    private var failure: ModelingError?

    /// Reads a model's source.
    ///
    /// - Throws: `ModelingError` with the line.
    static func read(_ data: Data) throws -> ModelAssembly {
        try SourceGuard.check(data)
        let reader = ModelSourceReader()
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        let isComplete = parser.parse() && parser.parserError == nil
        if let failure = reader.failure { throw failure }
        guard isComplete else {
            throw ModelingError(.malformed, "the model is not well-formed XML", line: max(parser.lineNumber, 1))
        }
        guard reader.hasModel else { throw ModelingError(.malformed, "the file holds no <model>", line: 1) }
        try reader.resolveComposites()
        try reader.assembly.finish()
        return reader.assembly
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard failure == nil else { return }
        let element = SourceElement(name: elementName, attributes: attributes, line: parser.lineNumber)
        do {
            guard stack.count <= Self.greatestDepth else {
                throw ModelingError(
                    .limitExceeded, "the model nests deeper than \(Self.greatestDepth) elements", line: element.line)
            }
            stack.append(try open(element, in: stack[stack.count - 1]))
        } catch {
            failure = error as? ModelingError ?? element.malformed("\(error)")
            parser.abortParsing()
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard failure == nil, stack.count > 1 else { return }
        close(stack.removeLast())
    }

    private func open(_ element: SourceElement, in context: Context) throws -> Context {
        switch (context, element.name) {
        case (.document, "model"): return openModel(element)
        case (.document, _): throw element.malformed("the file is not a model: it begins with <\(element.name)>")
        case (.model, "entity"): return try openEntity(element)
        case (.model, "fetchRequest"): return try openTemplate(element)
        case (.model, "configuration"): return try openConfiguration(element)
        case (.model, "composite"): return try openComposite(element)
        case (.model, "elements"), (.leaf, _): return .leaf
        case (.entity, "attribute"), (.composite, "attribute"): return try openAttribute(element, in: context)
        case (.entity, "relationship"): return try openRelationship(element)
        case (.entity, "fetchedProperty"): return try openFetchedProperty(element)
        case (.entity, "fetchIndex"): return try openFetchIndex(element)
        case (.entity(let entity), "uniquenessConstraints"), (.entity(let entity), "compoundIndexes"):
            groups = []
            return .groups(entity, element.name)
        case (.groups, "uniquenessConstraint"), (.groups, "compoundIndex"):
            groups.append([])
            return .group
        case (.group, "constraint"), (.group, "index"): return try openGroupMember(element)
        case (.entity, "userInfo"), (.property, "userInfo"):
            userInfo = [:]
            return .userInfo
        case (.userInfo, "entry"): return try openEntry(element)
        case (.property(let property), "fetchRequest"): return try openFetch(element, of: property)
        case (.fetchIndex, "fetchIndexElement"): return try openIndexElement(element)
        case (.configuration, "memberEntity"): return try openMember(element)
        default:
            note("<\(element.name)>", in: context)
            return .leaf
        }
    }

    /// Keeps what is not known with the description that it was found in; the first hundred of each.
    private func note(_ text: String, in context: Context) {
        switch context {
        case .entity(let entity) where entity.notes.count < 100: entity.notes.append(text)
        case .property(let property) where property.notes.count < 100: property.notes.append(text)
        case .entity, .property: break
        default: if assembly.notes.count < 100 { assembly.notes.append(text) }
        }
    }

    private func close(_ context: Context) {
        switch context {
        case .entity(let entity):
            entity.setOwnProperties(properties)
            entity.indexes = indexes + indexesOfOld(besides: indexes)
            properties = []
            indexes = []
        case .userInfo: closeUserInfo()
        case .groups(let entity, "uniquenessConstraints"): entity.uniquenessConstraints = groups
        case .groups(let entity, _): entity.compoundIndexes = groups
        case .fetchIndex(let index):
            index.elements = indexElements
            indexElements = []
        case .configuration: closeConfiguration()
        case .composite: composites[openName] = compositeElements
        default: break
        }
    }

    /// The index that the model compiler makes of an attribute marked `indexed`, as models did before fetch indexes.
    private func indexesOfOld(besides indexes: [NSFetchIndexDescription]) -> [NSFetchIndexDescription] {
        let taken = Set(indexes.map(\.name))
        return properties.compactMap { property in
            guard property.isIndexed, !property.isTransient, property is NSAttributeDescription,
                !taken.contains(property.name)
            else { return nil }
            let element = NSFetchIndexElementDescription(propertyName: property.name, collationType: .binary)
            return NSFetchIndexDescription(name: property.name, elements: [element])
        }
    }

    private func openModel(_ element: SourceElement) -> Context {
        var element = element
        hasModel = true
        assembly.versionIdentifiers = [element.take("userDefinedModelVersionIdentifier") ?? ""]
        assembly.notes += element.notes
        return .model
    }

    private func closeUserInfo() {
        switch stack[stack.count - 1] {
        case .entity(let entity): entity.userInfo = userInfo
        case .property(let property): property.userInfo = userInfo
        default: break
        }
    }
}
