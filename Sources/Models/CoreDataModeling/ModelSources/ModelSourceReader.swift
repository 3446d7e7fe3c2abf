import CoreDataFoundation

/// Reads the XML of a model's source (`contents` of an `.xcdatamodel`) into an assembly.
///
/// | inside | elements |
/// |---|---|
/// | – | `model` |
/// | `model` | `entity`, `fetchRequest`, `configuration`, `composite`, `elements` |
/// | `entity` | `attribute`, `relationship`, `fetchedProperty`, `userInfo` |
/// | `entity` | `fetchIndex`, `uniquenessConstraints`, `compoundIndexes` |
/// | a property | `userInfo`; in `fetchedProperty` also `fetchRequest` |
///
/// Other elements are skipped and noted. Source: the files that Xcode 4.1 and later write.
final class ModelSourceReader {
    /// The largest number of notes with positions; a file with more is of another kind.
    static let greatestNoteCount = 1000

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
        /// An element whose children are not read.
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
    var compositeUses: [NSCompositeAttributeDescription] = []
    var compositeElements: [NSAttributeDescription] = []
    var openName = ""
    private(set) var sourceNotes: [SourceNote] = []
    /// The parts that could not be read and were skipped.
    let faults = SourceFaults()

    /// Reads a model's source.
    ///
    /// - Throws: `ModelingError` with the position.
    static func read(_ data: Data) throws -> ModelAssembly { try read(ModelDocument(data)).assembly }

    /// Reads a model's source, with notes about unknown attributes and elements, which are kept.
    ///
    /// - Throws: `ModelingError` with the position.
    static func read(_ document: ModelDocument) throws -> (assembly: ModelAssembly, notes: [SourceNote]) {
        let reader = ModelSourceReader(document)
        if let fault = reader.faults.findings.first { throw fault.refusal }
        try reader.assembly.finish()
        try reader.resolveComposites()
        return (reader.assembly, reader.sourceNotes)
    }

    /// Reads as much of a source as possible; rules are not checked and names are not linked.
    init(_ document: ModelDocument) { visit(document.root) }

    /// Reads an element and its contents by recursion; `MarkupRules.modelSource` bounds the depth.
    private func visit(_ element: ModelElement) {
        let context = open(SourceElement(element, faults: faults), in: stack[stack.count - 1])
        if case .leaf = context { return }
        stack.append(context)
        for content in element.contents {
            if let inner = content.element { visit(inner) }
        }
        close(stack.removeLast())
    }

    /// Notes the attributes that have not been read.
    func note(_ element: SourceElement) { for note in element.notes { add(note, at: element.place) } }

    private func add(_ note: String, at place: SourcePlace) {
        guard sourceNotes.count < Self.greatestNoteCount else { return }
        sourceNotes.append(SourceNote(place: place, text: note))
    }

    private func open(_ element: SourceElement, in context: Context) -> Context {
        switch (context, element.name) {
        case (.document, _): return openModel(element)
        case (.model, "entity"): return openEntity(element)
        case (.model, "fetchRequest"): return openTemplate(element)
        case (.model, "configuration"): return openConfiguration(element)
        case (.model, "composite"): return openComposite(element)
        case (.model, "elements"), (.leaf, _): return .leaf
        case (.entity, "attribute"), (.composite, "attribute"): return openAttribute(element, in: context)
        case (.entity, "relationship"): return openRelationship(element)
        case (.entity, "fetchedProperty"): return openFetchedProperty(element)
        case (.entity, "fetchIndex"): return openFetchIndex(element)
        case (.entity(let entity), "uniquenessConstraints"), (.entity(let entity), "compoundIndexes"):
            note(element)
            groups = []
            return .groups(entity, element.name)
        case (.groups, "uniquenessConstraint"), (.groups, "compoundIndex"):
            note(element)
            groups.append([])
            return .group
        case (.group, "constraint"), (.group, "index"): return openGroupMember(element)
        case (.entity, "userInfo"), (.property, "userInfo"):
            note(element)
            userInfo = [:]
            return .userInfo
        case (.userInfo, "entry"): return openEntry(element)
        case (.property(let property), "fetchRequest"): return openFetch(element, of: property)
        case (.fetchIndex, "fetchIndexElement"): return openIndexElement(element)
        case (.configuration, "memberEntity"): return openMember(element)
        default:
            note("<\(element.name)>", in: context)
            add("<\(element.name)>", at: element.place)
            return .leaf
        }
    }

    /// Keeps the note of an unknown element with the description that contains it; at most 100 for each.
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
            entity.indexes = indexes
            properties = []
            indexes = []
            faults.entity = nil
        case .userInfo: closeUserInfo()
        case .groups(let entity, "uniquenessConstraints"): entity.uniquenessConstraints = groups
        case .groups(let entity, _): entity.compoundIndexes = groups
        case .fetchIndex(let index):
            index.elements = indexElements
            indexElements = []
        case .configuration: closeConfiguration()
        case .composite: closeComposite()
        default: break
        }
    }

    private func openModel(_ element: SourceElement) -> Context {
        var element = element
        assembly.versionIdentifiers = [element.take("userDefinedModelVersionIdentifier") ?? ""]
        for attribute in ModelHeader.names { _ = element.take(attribute) }
        assembly.notes += element.notes
        note(element)
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
