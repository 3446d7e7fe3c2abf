import CoreDataModelEditing
import Testing

@Suite struct AddingTests {
    @Test("entities, attributes, relationships and fetched properties are added as Xcode writes them (TOOL-06)")
    func propertiesAreAdded() throws {
        #expect(
            try EditedSource.changes("add entity Lair") == [
                #"+<entity name="Lair" representedClassName="Lair" syncable="YES" codeGenerationType="class"/>"#
            ])
        #expect(
            try EditedSource.changes("add attribute Hero.height type=double") == [
                #"+<attribute name="height" optional="YES" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES"/>"#
            ])
        #expect(
            try EditedSource.changes("add attribute Hero.born type=Date optional=NO") == [
                #"+<attribute name="born" attributeType="Date" usesScalarValueType="NO"/>"#
            ])
        #expect(
            try EditedSource.changes(
                "add relationship Hero.mentor destination=Hero",
                "add relationship Hero.pupils destination=Hero to-many=YES inverse=mentor delete-rule=deny") == [
                    #"+<relationship name="mentor" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Hero" inverseName="pupils" inverseEntity="Hero"/>"#,
                    #"+<relationship name="pupils" optional="YES" toMany="YES" deletionRule="Deny" destinationEntity="Hero" inverseName="mentor" inverseEntity="Hero"/>"#,
                ])
        #expect(
            try EditedSource.changes("add fetched-property Power.others entity=Power predicate='SELF != $FETCH_SOURCE'")
                == [
                    #"+<fetchedProperty name="others" optional="YES">"#,
                    #"+<fetchRequest name="fetchedPropertyFetchRequest" entity="Power" predicateString="SELF != $FETCH_SOURCE"/>"#,
                    "+</fetchedProperty>",
                ])
    }

    @Test("fetch requests, configurations, composites, indexes, constraints and user info are added (TOOL-06)")
    func partsAreAdded() throws {
        #expect(
            try EditedSource.changes("add fetch-request requests/all entity=Hero limit=5 result=ids") == [
                #"+<fetchRequest name="all" entity="Hero" fetchLimit="5" resultType="1"/>"#
            ])
        #expect(
            try EditedSource.changes("add configuration configurations/Local entities=Power,Hero") == [
                #"+<configuration name="Local">"#, #"+<memberEntity name="Hero"/>"#, #"+<memberEntity name="Power"/>"#,
                "+</configuration>",
            ])
        #expect(
            try EditedSource.changes("add member configurations/Cloud/Power") == [#"+<memberEntity name="Power"/>"#])
        #expect(
            try EditedSource.changes("add attribute composites/Address.city type=String") == [
                #"+<attribute name="city" optional="YES" attributeType="String"/>"#
            ])
        #expect(
            try EditedSource.changes("add index Power/indexes/byHero elements=-name,hero predicate='name != nil'") == [
                #"+<fetchIndex name="byHero" partialIndexPredicate="name != nil">"#,
                #"+<fetchIndexElement property="name" type="Binary" order="descending"/>"#,
                #"+<fetchIndexElement property="hero" type="Binary" order="ascending"/>"#, "+</fetchIndex>",
            ])
        #expect(
            try EditedSource.changes("add constraint Hero/constraints/name,age") == [
                "+<uniquenessConstraint>", #"+<constraint value="name"/>"#, #"+<constraint value="age"/>"#,
                "+</uniquenessConstraint>",
            ])
        #expect(
            try EditedSource.changes("add user-info Hero/user-info/unit value='a < b'") == [
                #"+<entry key="unit" value="a &lt; b"/>"#
            ])
    }

    @Test("adds are offered only where they apply (TOOL-06)")
    func addsThatDoNotApplyAreRefused() {
        #expect(EditedSource.refusal(of: "add attribute Hero type=String")?.code == .notApplicable)
        #expect(EditedSource.refusal(of: "add entity Hero.name")?.code == .notApplicable)
        #expect(
            EditedSource.refusal(of: "add relationship composites/Address.hero destination=Hero")?.code
                == .notApplicable)
        #expect(EditedSource.refusal(of: "add user-info requests/strong/user-info/k value=1")?.code == .notApplicable)
        #expect(EditedSource.refusal(of: "add user-info ./user-info/k value=1")?.code == .notApplicable)
        #expect(EditedSource.refusal(of: "add attribute Hero.powers type=String")?.code == .nameTaken)
        #expect(EditedSource.refusal(of: "add entity Hero")?.code == .nameTaken)
        #expect(EditedSource.refusal(of: "add attribute Heroo.x type=String")?.hint == "did you mean 'Hero'?")
        #expect(EditedSource.refusal(of: "add constraint Hero/constraints/nam")?.code == .unknownItem)
        #expect(EditedSource.refusal(of: "add member configurations/Cloud/Nobody")?.code == .unknownItem)
        #expect(EditedSource.refusal(of: "add index Hero/indexes/x elements=none")?.code == .unknownItem)
    }

    @Test("what can be added in an item is what is offered for its kind (TOOL-06)")
    func offersAreTaken() throws {
        let document = try EditedSource.document()
        for item in document.items + [.model] {
            let kind = try document.kind(of: item)
            for part in SourceItemKind.allCases where part != .model {
                let added = Self.part(part, in: item)
                var editor = ModelEditor(document)
                let isTaken = added.map { (try? editor.apply(.add(part, $0, []))) != nil } ?? false
                #expect(isTaken == kind.parts.contains(part), "\(part) in \(item)")
            }
        }
    }

    /// An item of a kind in another one; nil where there is no way to name it.
    private static func part(_ kind: SourceItemKind, in owner: SourceItem) -> SourceItem? {
        switch (owner, kind) {
        case (_, .userInfo): .userInfo("zz", of: owner)
        case (.model, .entity): .entity("Zz")
        case (.model, .fetchRequest): .fetchRequest("zz")
        case (.model, .configuration): .configuration("zz")
        case (.model, .composite): .composite("Zz")
        case (.entity(let name), .attribute), (.entity(let name), .relationship), (.entity(let name), .fetchedProperty):
            .property("zz", entity: name)
        case (.entity(let name), .index): .index("zz", entity: name)
        // Every entity has a name of its own or its parent's.
        case (.entity(let name), .constraint): .constraint(["name", "name"], entity: name)
        case (.configuration(let name), .member): .member("Power", configuration: name)
        case (.composite(let name), .attribute): .element("zz", composite: name)
        default: nil
        }
    }

    @Test("what would be no model is refused with the reason, and nothing changes (TOOL-06)")
    func unreadableModelsAreRefused() {
        #expect(EditedSource.refusal(of: "add attribute Hero.x")?.code == .unreadableModel)
        #expect(EditedSource.refusal(of: "add relationship Hero.x")?.code == .unreadableModel)
        #expect(EditedSource.refusal(of: "add entity 2x")?.code == .unreadableModel)
        #expect(EditedSource.refusal(of: "add attribute Hero.objectID type=String")?.code == .unreadableModel)
        #expect(EditedSource.refusal(of: "rename Hero.age 'a b'")?.code == .unreadableModel)
        #expect(EditedSource.refusal(of: "add attribute Sidekick.name type=String")?.code == .unreadableModel)
    }
}
