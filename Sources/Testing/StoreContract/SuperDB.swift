import CoreDataGraph

/// The superhero database of the books, version 3: its model and the five heroes of its fixture.
package enum SuperDB {
    /// Creates a new instance of the model, from a source as Xcode writes it.
    ///
    /// `further` are additional properties of Hero, as XML elements of the model source.
    package static func model(_ further: String = "") throws -> NSManagedObjectModel {
        try NSManagedObjectModel(source: Data(source(further).utf8))
    }

    /// A row of the fixture, with the names of the heroes in its relationships and fetched properties.
    package struct Row: Sendable {
        package let name: String
        package let identity: String
        /// Seconds since 2001.
        package let birthDate: Double?
        package let sex: String?
        package let older: [String]
        package let younger: [String]
        package let sameSex: [String]
        package let oppositeSex: [String]
    }

    package static let rows = [
        Row(
            name: "Alpha", identity: "Ann Archer", birthDate: -652_320_000, sex: "Female", older: ["Bolt"],
            younger: ["Cinder"], sameSex: ["Cinder"], oppositeSex: ["Bolt", "Dusk", "Echo"]),
        Row(
            name: "Bolt", identity: "Ben Brook", birthDate: -819_331_200, sex: "Male", older: [],
            younger: ["Alpha", "Cinder", "Dusk"], sameSex: ["Dusk"], oppositeSex: ["Alpha", "Cinder", "Echo"]),
        Row(
            name: "Cinder", identity: "Cora Cole", birthDate: -315_705_600, sex: "Female",
            older: ["Alpha", "Bolt", "Dusk"], younger: [], sameSex: ["Alpha"], oppositeSex: ["Bolt", "Dusk", "Echo"]),
        Row(
            name: "Dusk", identity: "Dan Dale", birthDate: -652_320_000, sex: "Male", older: ["Bolt"],
            younger: ["Cinder"], sameSex: ["Bolt"], oppositeSex: ["Alpha", "Cinder", "Echo"]),
        Row(
            name: "Echo", identity: "Unknown", birthDate: nil, sex: nil, older: [], younger: [], sameSex: [],
            oppositeSex: ["Alpha", "Bolt", "Cinder", "Dusk"]),
    ]

    /// Inserts the heroes of the fixture into a context; does not save.
    package static func fill(_ context: NSManagedObjectContext) {
        for row in rows {
            let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context)
            hero.setValue(row.name, forKey: "name")
            hero.setValue(row.identity, forKey: "secretIdentity")
            hero.setValue(row.birthDate.map { Date(timeIntervalSinceReferenceDate: $0) }, forKey: "birthDate")
            hero.setValue(row.sex, forKey: "sex")
        }
    }

    private static func source(_ further: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="3">
        <entity name="Hero" representedClassName="StoreContract.SuperDBHero" syncable="YES">
        <attribute name="birthDate" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="name" attributeType="String" minValueString="1" defaultValueString="Untitled Hero"/>
        <attribute name="secretIdentity" attributeType="String" defaultValueString="Unknown"/>
        <attribute name="sex" optional="YES" attributeType="String"/>
        <relationship name="powers" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Power" \
        inverseName="hero" inverseEntity="Power"><userInfo><entry key="Owned" value="YES"/></userInfo></relationship>
        \(fetched("olderHeroes", predicate: "$FETCH_SOURCE.birthDate &gt; birthDate"))
        \(fetched("oppositeSexHeroes", predicate: "$FETCH_SOURCE.sex != sex"))
        \(fetched("sameSexHeroes", predicate: "($FETCH_SOURCE.sex == sex) AND ($FETCH_SOURCE != SELF)"))
        \(fetched("youngerHeroes", predicate: "$FETCH_SOURCE.birthDate &lt; birthDate"))
        \(further)
        </entity>
        <entity name="Power" representedClassName="Power" syncable="YES">
        <attribute name="name" attributeType="String" defaultValueString="New Power"/>
        <attribute name="source" optional="YES" attributeType="String"/>
        <relationship name="hero" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Hero" \
        inverseName="powers" inverseEntity="Hero"/>
        </entity>
        <fetchRequest name="HeroesOfSex" entity="Hero" predicateString="sex == $SEX"/>
        </model>
        """
    }

    /// The XML element of a fetched property of heroes; the predicate is escaped.
    package static func fetched(_ name: String, predicate: String, userInfo: KeyValuePairs<String, String> = [:])
        -> String
    {
        let entries = userInfo.map { "<entry key=\"\($0.key)\" value=\"\($0.value)\"/>" }.joined()
        return "<fetchedProperty name=\"\(name)\" optional=\"YES\"><fetchRequest "
            + "name=\"fetchedPropertyFetchRequest\" entity=\"Hero\" predicateString=\"\(predicate)\"/>"
            + (entries.isEmpty ? "" : "<userInfo>\(entries)</userInfo>") + "</fetchedProperty>"
    }
}

/// A hero of the superhero database.
package final class SuperDBHero: NSManagedObject {
    override package class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([.stored("name", \SuperDBHero.name), .stored("olderHeroes")])

    package var name: String? {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    /// A typed fetched property.
    package var olderHeroes: [SuperDBHero] { fetchedObjects(1) }
}
