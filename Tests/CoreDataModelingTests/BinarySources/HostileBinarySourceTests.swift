import Testing

@testable import CoreDataModeling

/// Sources in the form before Xcode 4 that no editor wrote.
@Suite struct HostileBinarySourceTests {
    private struct Draft {
        var archive = ArchiveBuilder()
        var entities: [(key: PropertyList, value: PropertyList)] = []

        /// An entity without settings, with properties of the given classes by name.
        mutating func entity(
            _ name: String, at place: PropertyList? = nil, parents: [PropertyList] = [],
            properties: [String: String] = [:]
        )
            -> PropertyList
        {
            let place = place ?? archive.reserve()
            let pairs = properties.sorted { $0.key < $1.key }.map { name, className in
                (key: archive.text(name), value: archive.add(className, ["_name": archive.text(name)]))
            }
            let lines = parents.map { archive.add("XDUMLGeneralizationImp", ["_general": $0]) }
            archive.define(
                place, className: "XDPMEntity",
                fields: [
                    "_name": archive.text(name),
                    "XDBucketForOwnedAttributesstorage": archive.dictionary("NSMutableDictionary", pairs),
                    "XDBucketForGeneralizationsstorage": archive.collection("NSMutableArray", lines),
                ])
            entities.append((archive.text(name), place))
            return place
        }

        mutating func data(packages: [(key: PropertyList, value: PropertyList)] = []) -> Data {
            let package = archive.add(
                "XDModelPackage",
                [
                    "XDBucketForClassesstorage": archive.dictionary("NSMutableDictionary", entities),
                    "XDBucketForPackagesstorage": archive.dictionary("NSMutableDictionary", packages),
                ])
            let root = archive.add("XDPMModel", ["_xd_rootPackage": package])
            return archive.data(root: root)
        }
    }

    private func error(_ data: Data) -> ModelingError? {
        #expect(throws: ModelingError.self) { try NSManagedObjectModel(binarySource: data) }
    }

    @Test("an attribute of no kind and an entity without properties make a model (HAZ-46)")
    func plainEntitiesAreRead() throws {
        var draft = Draft()
        let parent = draft.entity("Place", properties: ["name": "XDPMAttribute"])
        _ = draft.entity("Town", parents: [parent])
        let model = try NSManagedObjectModel(binarySource: draft.data())
        #expect(model.entitiesByName["Town"]?.attributesByName.keys.sorted() == ["name"])
        #expect(model.entitiesByName["Town"]?.superentity?.name == "Place")
    }

    @Test("entities that inherit in a circle, or from two, are refused (HAZ-46)")
    func circlesAreRefused() {
        var draft = Draft()
        let one = draft.archive.reserve()
        let other = draft.entity("B", parents: [one])
        _ = draft.entity("A", at: one, parents: [other])
        #expect(error(draft.data())?.cause.contains("inherits from itself") == true)
        var fork = Draft()
        let parents = [fork.entity("X"), fork.entity("Y")]
        _ = fork.entity("Z", parents: parents)
        #expect(error(fork.data())?.code == .invalidModel)
    }

    @Test("unknown kinds of property, packages in packages, and other roots are refused by name (HAZ-46, HAZ-48)")
    func unknownKindsAreRefused() {
        var property = Draft()
        _ = property.entity("Place", properties: ["name": "NSTask"])
        #expect(error(property.data())?.cause.contains("NSTask") == true)
        var nested = Draft()
        let name = nested.archive.text("inner")
        #expect(error(nested.data(packages: [(name, name)]))?.code == .unsupportedForm)
        var twice = Draft()
        _ = twice.entity("Place")
        _ = twice.entity("Place")
        #expect(error(twice.data())?.code == .invalidModel)
        var empty = ArchiveBuilder()
        let root = empty.add("XDPMModel", [:])
        #expect(error(empty.data(root: root))?.cause == "the model's source has no entities")
        #expect(error(empty.data(root: .uid(0)))?.code == .malformed)
        #expect(error(empty.data(root: .uid(99)))?.code == .malformed)
    }

    @Test("user info that shares its parts without end is cut off in bounded time (HAZ-48)", .timeLimit(.minutes(20)))
    func sharedPartsAreBounded() throws {
        var archive = ArchiveBuilder()
        var level = archive.text("leaf")
        for _ in 0..<60 { level = archive.collection("NSArray", [level, level, level]) }
        let info = archive.dictionary("NSDictionary", [(archive.text("bomb"), level)])
        let read = try KeyedArchive(archive.data(root: info))
        #expect(read.userInfo(read.root).keys.count == 1)
        var circle = ArchiveBuilder()
        let place = circle.reserve()
        circle.define(
            place, className: "NSDictionary",
            fields: ["NS.keys": .array([circle.text("me")]), "NS.objects": .array([place])])
        let circular = try KeyedArchive(circle.data(root: place))
        #expect(circular.userInfo(circular.root).count == 1)
    }
}
