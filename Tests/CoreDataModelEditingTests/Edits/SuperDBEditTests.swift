import CoreDataModelEditing
import Testing

/// The versions of SuperDB made by edits alone.
@Suite struct SuperDBEditTests {
    private static let versions = [
        """
        add entity Hero codegen=manual
        add attribute Hero.name type=String optional=NO default="Untitled Hero"
        add attribute Hero.secretIdentity type=String optional=NO default=Unknown
        add attribute Hero.birthDate type=Date
        add attribute Hero.sex type=String
        add index Hero/indexes/byNameIndex elements=name
        add index Hero/indexes/bySecretIdentityIndex elements=secretIdentity
        """,
        """
        set . identifier=2
        set Hero.name min-length=1
        add attribute Hero.age type="Integer 16" transient=YES default= scalar=NO
        add attribute Hero.favoriteColor type=Transformable transformer=UIColorRGBValueTransformer
        """,
        """
        set . identifier=3
        add entity Power class=NSManagedObject codegen=manual
        add attribute Power.name type=String optional=NO default="New Power"
        add attribute Power.source type=String
        add relationship Power.hero destination=Hero
        add relationship Hero.powers destination=Power to-many=YES delete-rule=cascade inverse=hero
        add user-info Hero.powers/user-info/Owned value=YES
        add fetched-property Hero.olderHeroes entity=Hero predicate="$FETCH_SOURCE.birthDate > birthDate"
        add fetched-property Hero.youngerHeroes entity=Hero predicate="$FETCH_SOURCE.birthDate < birthDate"
        add fetched-property Hero.sameSexHeroes entity=Hero predicate="($FETCH_SOURCE.sex == sex) AND ($FETCH_SOURCE != SELF)"
        add fetched-property Hero.oppositeSexHeroes entity=Hero predicate="$FETCH_SOURCE.sex != sex"
        """,
    ]

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Examples/SuperDB/Sources/Model/SuperDB.xcdatamodeld")

    @Test("the three versions of SuperDB are made from nothing by edits alone, with the hashes of Xcode's (TOOL-06)")
    func versionsAreMadeByEdits() throws {
        var session = ModelEditSession(ModelDocument.describing(NSManagedObjectModel()).document)
        for (number, edits) in Self.versions.enumerated() {
            try session.perform(ModelEdit.edits(in: edits))
            let name = number == 0 ? "SuperDB" : "SuperDB \(number + 1)"
            let expected = try ModelDocument(at: Self.sources.appendingPathComponent(name + ".xcdatamodel"))
            let model = try session.document.makeModel().model
            let written = try expected.makeModel().model
            #expect(model.entityVersionHashesByName == written.entityVersionHashesByName, "version \(number + 1)")
            #expect(model.versionChecksum == written.versionChecksum)
            // Beyond the hashes everything else is the same too.
            #expect(EditedSource.description(of: model) == EditedSource.description(of: written))
        }
        let undone = (0..<4).map { _ in session.undo() }
        #expect(undone == [true, true, true, false])
    }
}
