import CoreDataModelCompiler
import CoreDataModelEditing
import TestBasics
import Testing

/// A small source with something of every kind, and edits of it.
enum EditedSource {
    static let text = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
            <entity name="Hero" representedClassName="Hero" syncable="YES" codeGenerationType="class">
                <attribute name="age" optional="YES" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES"/>
                <attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>
                <attribute name="name" attributeType="String" maxValueString="40"/>
                <attribute name="plain" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(name)"/>
                <relationship name="powers" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Power" inverseName="hero" inverseEntity="Power"/>
                <fetchedProperty name="peers" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Hero" predicateString="$FETCH_SOURCE.name == name AND age &gt; 3"/>
                </fetchedProperty>
                <fetchIndex name="byName">
                    <fetchIndexElement property="name" type="Binary" order="ascending"/>
                    <fetchIndexElement property="age" type="Binary" order="descending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="name"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
                <userInfo>
                    <entry key="color" value="red"/>
                </userInfo>
            </entity>
            <entity name="Power" representedClassName="Power" syncable="YES" codeGenerationType="class">
                <attribute name="name" attributeType="String"/>
                <relationship name="hero" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Hero" inverseName="powers" inverseEntity="Hero"/>
            </entity>
            <entity name="Sidekick" representedClassName="Sidekick" parentEntity="Hero" syncable="YES" codeGenerationType="class"/>
            <fetchRequest name="strong" entity="Hero" predicateString="SUBQUERY(powers, $p, $p.name == 'name' AND $p.hero.name != name).@count &gt; 0"/>
            <configuration name="Cloud">
                <memberEntity name="Hero"/>
                <memberEntity name="Sidekick"/>
            </configuration>
            <composite name="Address">
                <attribute name="street" optional="YES" attributeType="String"/>
            </composite>
        </model>
        """

    static func document(_ text: String = text) throws -> ModelDocument { try ModelDocument(Data(text.utf8)) }

    /// The source after a step of edits, each a line.
    static func edited(_ edits: String..., from text: String = text) throws -> ModelDocument {
        var session = ModelEditSession(try document(text))
        try session.perform(edits.map { try ModelEdit($0) })
        return session.document
    }

    /// The lines that edits take away (`-`) and bring (`+`), without their indentation.
    static func changes(_ edits: String..., from text: String = text) throws -> [String] {
        var session = ModelEditSession(try document(text))
        try session.perform(edits.map { try ModelEdit($0) })
        let difference = UnifiedDiff(path: "contents", from: text, to: session.document.text).text
        return difference.split(separator: "\n").dropFirst(2).filter { "+-".contains($0.first ?? " ") }.map { line in
            "\(line.prefix(1))\(line.dropFirst().drop { $0 == " " })"
        }
    }

    /// The code of the refusal of edits; nil where they are taken.
    static func refusal(of edits: String..., from text: String = text) -> ModelEditError? {
        do {
            var session = ModelEditSession(try document(text))
            let before = session.document.data
            defer { #expect(session.document.data == before || session.undoName != nil) }
            try session.perform(edits.map { try ModelEdit($0) })
            return nil
        } catch {
            return error as? ModelEditError
                ?? ModelEditError(.malformedEdit, subject: "", cause: "another error: \(error)")
        }
    }

    /// Everything that a source says of its model, in one order and spelling.
    static func description(of document: ModelDocument) throws -> String {
        description(of: try document.makeModel().model)
    }

    static func description(of model: NSManagedObjectModel) -> String {
        ModelDocument.describing(model).document.text
    }
}

/// The sources among the fixtures.
enum FixtureSources {
    static let paths: [String] = {
        let root = Fixtures.folder.resolvingSymlinksInPath().path
        guard let all = FileManager.default.enumerator(atPath: root) else { return [] }
        return all.compactMap { $0 as? String }.filter { $0.hasSuffix(".xcdatamodel/contents") }.sorted()
    }()
}
