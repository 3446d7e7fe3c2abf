import CoreDataModeling
import Testing

@Suite struct MigrationAnalysisTests {
    private static func entity(_ body: String) -> String { #"<entity name="A">\#(body)</entity><entity name="B"/>"# }

    private static func attribute(_ name: String, _ rest: String = #"optional="YES""#, type: String = "String")
        -> String
    {
        entity(#"<attribute name="\#(name)" \#(rest) attributeType="\#(type)"/>"#)
    }

    private static func relationship(_ rest: String, to target: String = "B") -> String {
        entity(#"<relationship name="r" deletionRule="Nullify" destinationEntity="\#(target)" \#(rest)/>"#)
    }

    private func analysis(_ old: String, _ new: String) throws -> MigrationAnalysis {
        MigrationAnalysis(from: try SourceText.read(old), to: try SourceText.read(new))
    }

    @Test(
        "changes that Apple's guide lists are inferred (MIG-22)",
        arguments: [
            (entity(""), attribute("x")), (entity(""), attribute("x", #"defaultValueString="v""#)),
            (attribute("x", ""), attribute("x")), (attribute("x"), attribute("x", #"defaultValueString="v""#)),
            (attribute("x"), attribute("y", #"optional="YES" elementID="x""#)), (attribute("x"), entity("")),
            (entity(""), relationship(#"optional="YES" maxCount="1""#)),
            (relationship(#"optional="YES" maxCount="1""#), relationship(#"optional="YES" toMany="YES""#)),
            (
                relationship(#"optional="YES" toMany="YES""#),
                relationship(#"optional="YES" toMany="YES" ordered="YES""#)
            ),
            (#"<entity name="A"/>"#, #"<entity name="A" parentEntity="P"/><entity name="P"/>"#),
            (#"<entity name="A" parentEntity="P"/><entity name="P"/>"#, #"<entity name="A"/><entity name="P"/>"#),
        ])
    func listedChangesAreLightweight(old: String, new: String) throws {
        let analysis = try analysis(old, new)
        #expect(analysis.verdict == .lightweight)
        #expect(analysis.obstacles == [])
    }

    @Test(
        "obstacles to inferring name the item and the reason (MIG-22)",
        arguments: [
            (attribute("x"), attribute("x", type: "Date"), "A.x", "its type was String and is Date"),
            (attribute("x"), attribute("x", ""), "A.x", "it was optional and is required, and has no default"),
            (entity(""), attribute("x", ""), "A.x", "have no value for it, and it is required"),
            (entity(""), relationship(#"maxCount="1""#), "A.r", "lead nowhere by it, and it is required"),
            (
                relationship(#"optional="YES" toMany="YES""#), relationship(#"optional="YES" maxCount="1""#), "A.r",
                "nothing says which object stays"
            ),
            (
                relationship(#"optional="YES" maxCount="1""#), relationship(#"optional="YES" maxCount="1""#, to: "A"),
                "A.r", "it led to 'B' and leads to 'A', which is neither a parent nor a child of it"
            ),
            (
                #"<entity name="A"/><entity name="B"/>"#,
                #"<entity name="A" parentEntity="P"/><entity name="B" parentEntity="P"/><entity name="P"/>"#, "P",
                "it unites what inherited from 'A', 'B'"
            ),
            (
                #"<entity name="A"/>"#, #"<entity name="B" elementID="A"/><entity name="C" elementID="A"/>"#, "B",
                "'B', 'C' have the same renaming identifier 'A'"
            ),
            (
                #"<entity name="A"/>"#,
                #"<entity name="A" parentEntity="P"/><entity name="P"><attribute name="x" attributeType="String"/></entity>"#,
                "P.x", "have no value for it"
            ),
        ])
    func otherChangesNeedAMapping(old: String, new: String, item: String, reason: String) throws {
        let analysis = try analysis(old, new)
        #expect(analysis.verdict == .mappingModel)
        let found = analysis.obstacles.contains { $0.item.path == item && $0.reason.contains(reason) }
        #expect(found, "\(analysis.obstacles)")
    }

    @Test("a rename without an identifier is a loss, and the identifier to give is named (MIG-09)")
    func silentRenamesAreLosses() throws {
        let entities = try analysis(
            #"<entity name="Event"><attribute name="t" attributeType="Date"/></entity>"#,
            #"<entity name="Occurrence"><attribute name="t" attributeType="Date"/></entity>"#)
        #expect(entities.verdict == .lightweight)
        #expect(entities.losses.map(\.item.path) == ["Event"])
        #expect(entities.losses.first?.hint?.contains("identifier 'Event'") == true)
        let attributes = try analysis(Self.attribute("timeStamp"), Self.attribute("startTime"))
        #expect(
            attributes.losses.first?.hint == "if 'startTime' is the same, give it the renaming identifier 'timeStamp'")
        let several = Self.entity(
            #"<attribute name="a" optional="YES" attributeType="String"/><attribute name="b" optional="YES" attributeType="String"/>"#
        )
        #expect(try analysis(several, Self.attribute("c")).losses.map(\.hint) == [nil, nil])
    }

    @Test("what only hashes do not see needs no migration (MIG-22)")
    func equalHashesNeedNothing() throws {
        let analysis = try analysis(Self.attribute("x"), Self.attribute("x", #"optional="YES" defaultValueString="v""#))
        #expect(analysis.verdict == .unnecessary)
    }

    @Test("a constraint that is added is inferred, with a remark (MIG-22)")
    func constraintsAreRemarked() throws {
        let constraint =
            #"<uniquenessConstraints><uniquenessConstraint><constraint value="x"/></uniquenessConstraint></uniquenessConstraints>"#
        let plain = #"<attribute name="x" optional="YES" attributeType="String"/>"#
        let analysis = try analysis(Self.entity(plain), Self.entity(plain + constraint))
        #expect(analysis.verdict == .lightweight)
        #expect(analysis.remarks.map(\.item.path) == ["A.x"])
    }

    @Test(
        "lines of inheritance and lists of properties as long as readers allow are compared in time (HAZ-47)",
        .timeLimit(.minutes(20)))
    func hugeModelsAreCompared() throws {
        let line = (0..<120).map {
            #"<entity name="E\#($0)" \#($0 > 0 ? "parentEntity=\"E\($0 - 1)\"" : "")><attribute name="a\#($0)" optional="YES" attributeType="String"/></entity>"#
        }
        let wide = (0..<3000).map { #"<attribute name="b\#($0)" optional="YES" attributeType="String"/>"# }
        let old = try SourceText.read(line.joined() + #"<entity name="W">\#(wide.joined())</entity>"#)
        let new = try SourceText.read(
            line.reversed().joined() + #"<entity name="W">\#(wide.dropFirst().joined())</entity>"#)
        #expect(ModelDifference(from: old, to: new).changes.map(\.item.path) == ["W.b0"])
        #expect(MigrationAnalysis(from: old, to: new).losses.map(\.item.path) == ["W.b0"])
    }
}
