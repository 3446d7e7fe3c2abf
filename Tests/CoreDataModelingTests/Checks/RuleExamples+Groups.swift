extension RuleExample {
    private static func hero(_ body: String, _ more: String = "") -> String {
        """
        <entity name="Hero">
        <attribute name="age" optional="YES" attributeType="Integer 16"/>
        <attribute name="mood" optional="YES" attributeType="String" transient="YES"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="photo" optional="YES" attributeType="Binary"/>
        <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Hero" inverseName="friends"/>
        <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Hero" inverseName="staff"/>
        <relationship name="staff" optional="YES" toMany="YES" destinationEntity="Hero" inverseName="boss"/>
        \(body)
        </entity>
        \(more)
        """
    }

    private static func index(_ elements: String..., predicate: String = "") -> String {
        let parts = elements.map { "<fetchIndexElement \($0)/>" }.joined()
        return hero("<fetchIndex name=\"byName\" \(predicate)>\(parts)</fetchIndex>")
    }

    private static func binary(_ name: String) -> String { "property=\"\(name)\" type=\"Binary\"" }
    private static func tree(_ name: String) -> String { "property=\"\(name)\" type=\"RTree\"" }

    private static func unique(_ names: String...) -> String {
        let parts = names.map { "<constraint value=\"\($0)\"/>" }.joined()
        return hero(
            "<uniquenessConstraints><uniquenessConstraint>\(parts)</uniquenessConstraint></uniquenessConstraints>")
    }

    private static func configuration(_ name: String, _ members: String...) -> String {
        "\n<configuration name=\"\(name)\">\(members.map { "<memberEntity name=\"\($0)\"/>" }.joined())</configuration>"
    }

    private static let two =
        "\n<entity name=\"Child\" parentEntity=\"Hero\">\n<relationship name=\"toy\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Toy\"/></entity>\n<entity name=\"Toy\"/>"

    static let groups = [
        RuleExample(
            "index-unknown-property", line: 11, "Hero", broken: index(binary("nam")), kept: index(binary("name"))),
        RuleExample(
            "compound-index-unknown-property", line: 3, "Hero",
            broken: hero("<compoundIndexes><compoundIndex><index value=\"nam\"/></compoundIndex></compoundIndexes>"),
            kept: hero("<compoundIndexes><compoundIndex><index value=\"name\"/></compoundIndex></compoundIndexes>")),
        RuleExample(
            "index-unstored-property", line: 11, "Hero", broken: index(binary("friends")), kept: index(binary("boss"))),
        RuleExample(
            "duplicate-index", line: 12, "Hero",
            broken: hero(
                "<fetchIndex name=\"i\"><fetchIndexElement property=\"age\"/></fetchIndex>\n<fetchIndex name=\"i\"><fetchIndexElement property=\"age\"/></fetchIndex>"
            ),
            kept: index(binary("age"))),
        RuleExample("index-without-elements", line: 11, "Hero", broken: index(), kept: index(binary("age"))),
        RuleExample(
            "rtree-elements", line: 11, "Hero", broken: index(tree("age"), tree("name")), kept: index(tree("age"))),
        RuleExample(
            "index-expression", line: 11, "Hero", broken: index("expression=\"lowercase:(\""),
            kept: index("expression=\"lowercase:(name)\"")),
        RuleExample(
            "partial-index-predicate", line: 11, "Hero",
            broken: index(binary("age"), predicate: "partialIndexPredicate=\"age &gt;\""),
            kept: index(binary("age"), predicate: "partialIndexPredicate=\"age &gt; 1\"")),
        RuleExample(
            "predicate-unknown-key", line: 11, "Hero",
            broken: index(binary("age"), predicate: "partialIndexPredicate=\"agee &gt; 1\""),
            kept: index(binary("age"), predicate: "partialIndexPredicate=\"age &gt; 1\"")),
        RuleExample("constraint-unknown-property", line: 3, "Hero", broken: unique("nam"), kept: unique("name")),
        RuleExample("constraint-unstored-property", line: 3, "Hero", broken: unique("mood"), kept: unique("name")),
        RuleExample("constraint-type", line: 3, "Hero", broken: unique("photo"), kept: unique("name")),
        RuleExample("constraint-without-properties", line: 3, "Hero", broken: unique(), kept: unique("name")),
        RuleExample(
            "constraint-repeated-property", line: 3, "Hero", broken: unique("name", "name"), kept: unique("name", "age")
        ),
        RuleExample(
            "constraint-in-child", line: 13, "Child",
            broken: hero(
                "",
                "<entity name=\"Child\" parentEntity=\"Hero\"><uniquenessConstraints><uniquenessConstraint><constraint value=\"name\"/></uniquenessConstraint></uniquenessConstraints></entity>"
            ),
            kept: unique("name")),
        RuleExample(
            "duplicate-configuration", line: 15, nil,
            broken: hero("", configuration("Local", "Hero") + configuration("Local", "Hero")),
            kept: hero("", configuration("Local", "Hero"))),
        RuleExample(
            "configuration-unknown-entity", line: 14, nil, broken: hero("", configuration("Local", "Heroo")),
            kept: hero("", configuration("Local", "Hero"))),
        RuleExample(
            "empty-configuration", line: 14, nil, broken: hero("", configuration("Local")),
            kept: hero("", configuration("Local", "Hero"))),
        RuleExample(
            "configuration-splits-relationship", line: 15, "Child.toy",
            broken: hero("", two + configuration("Local", "Hero", "Child") + configuration("Cloud", "Toy")),
            kept: hero("", two + configuration("Local", "Hero", "Child", "Toy") + configuration("Cloud", "Toy"))),
        RuleExample(
            "configuration-splits-inheritance", line: 14, "Child",
            broken: hero("", two + configuration("Local", "Hero") + configuration("Cloud", "Child", "Toy")),
            kept: hero("", two + configuration("Local", "Hero", "Child", "Toy"))),
    ]

    private static func request(_ attributes: String) -> String {
        hero("", "<fetchRequest name=\"all\" \(attributes)/>")
    }

    private static func fetched(_ inner: String) -> String {
        hero("<fetchedProperty name=\"peers\" optional=\"YES\">\(inner)</fetchedProperty>")
    }

    private static func derived(_ type: String, _ expression: String) -> String {
        hero(
            "<attribute name=\"derived\" optional=\"YES\" attributeType=\"\(type)\" derived=\"YES\" derivationExpression=\"\(expression)\"/>"
        )
    }

    static let requests = [
        RuleExample(
            "duplicate-request", line: 14, nil,
            broken: request("entity=\"Hero\"") + "\n<fetchRequest name=\"all\" entity=\"Hero\"/>",
            kept: request("entity=\"Hero\"")),
        RuleExample(
            "request-unknown-entity", line: 13, nil, broken: request("entity=\"Her\""), kept: request("entity=\"Hero\"")
        ),
        RuleExample(
            "predicate-syntax", line: 13, nil, broken: request("entity=\"Hero\" predicateString=\"age &gt;\""),
            kept: request("entity=\"Hero\" predicateString=\"age &gt; $limit\"")),
        RuleExample(
            "predicate-unknown-key", line: 13, nil,
            broken: request("entity=\"Hero\" predicateString=\"boss.nam == 1\""),
            kept: request("entity=\"Hero\" predicateString=\"boss.name == 1\"")),
        RuleExample(
            "predicate-unknown-key", line: 11, "Hero",
            broken: fetched("<fetchRequest entity=\"Hero\" predicateString=\"name == $FETCH_SOURCE.nam\"/>"),
            kept: fetched(
                "<fetchRequest entity=\"Hero\" predicateString=\"name == $FETCH_SOURCE.name AND age == $FETCHED_PROPERTY.userInfo.age\"/>"
            )),
        RuleExample(
            "searched-key-without-index", line: 13, nil,
            broken: request("entity=\"Hero\" predicateString=\"name == $name\""),
            kept: index(binary("name"))
                + "<fetchRequest name=\"all\" entity=\"Hero\" predicateString=\"name == $name\"/>"),
        RuleExample(
            "fetched-property-without-request", line: 11, "Hero.peers", broken: fetched(""),
            kept: fetched("<fetchRequest entity=\"Hero\"/>")),
    ]

    static let derivations = [
        RuleExample(
            "derivation-missing", line: 11, "Hero.derived", broken: derived("Integer 64", ""),
            kept: derived("Integer 64", "friends.@count")),
        RuleExample(
            "derivation-unsupported", line: 11, "Hero.derived", broken: derived("Integer 64", "median:(friends.age)"),
            kept: derived("Integer 64", "friends.@count")),
        RuleExample(
            "derivation-unknown-key", line: 11, "Hero.derived", broken: derived("Integer 64", "frends.@count"),
            kept: derived("Integer 64", "friends.@count")),
        RuleExample(
            "derivation-meaning", line: 11, "Hero.derived", broken: derived("Integer 64", "friends.@sum.name"),
            kept: derived("Integer 64", "friends.@sum.age")),
        RuleExample(
            "derivation-meaning", line: 11, "Hero.derived", broken: derived("String", "canonical:(age)"),
            kept: derived("String", "canonical:(boss.name)")),
        RuleExample(
            "derivation-type", line: 11, "Hero.derived", broken: derived("String", "boss.age"),
            kept: derived("Integer 16", "boss.age")),
        RuleExample(
            "derivation-type", line: 11, "Hero.derived", broken: derived("String", "now()"),
            kept: derived("Date", "now()")),
    ]

    private static let cloud = "usedWithCloudKit=\"YES\""

    private static func bare(_ body: String, _ more: String = "") -> String {
        "<entity name=\"Hero\">\n\(body)\n</entity>\(more)"
    }

    static let further = [
        RuleExample(
            "entity-renaming-clash", line: 6, "Other",
            broken: bare(
                "<attribute name=\"a\" attributeType=\"String\"/>", "\n<entity name=\"Other\" elementID=\"Hero\"/>"),
            kept: bare(
                "<attribute name=\"a\" attributeType=\"String\"/>", "\n<entity name=\"Other\" elementID=\"Past\"/>")),
        RuleExample(
            "property-renaming-clash", line: 5, "Hero.b",
            broken: bare(
                "<attribute name=\"a\" attributeType=\"String\"/>\n<attribute name=\"b\" elementID=\"a\" attributeType=\"String\"/>"
            ),
            kept: bare(
                "<attribute name=\"a\" attributeType=\"String\"/>\n<attribute name=\"b\" elementID=\"c\" attributeType=\"String\"/>"
            )),
        RuleExample(
            "unknown-class", line: 3, "Hero", broken: "<entity name=\"Hero\" representedClassName=\".Herro\"/>",
            kept: "<entity name=\"Hero\" representedClassName=\".Hero\"/>"),
        RuleExample("cloudkit-constraint", line: 3, "Hero", broken: unique("name"), kept: hero(""), head: cloud),
        RuleExample(
            "cloudkit-attribute-type", line: 4, "Hero.a",
            broken: bare("<attribute name=\"a\" optional=\"YES\" attributeType=\"ObjectID\"/>"), kept: hero(""),
            head: cloud),
        RuleExample(
            "cloudkit-required-attribute", line: 4, "Hero.a",
            broken: bare("<attribute name=\"a\" attributeType=\"String\"/>"), kept: hero(""), head: cloud),
        RuleExample(
            "cloudkit-required-relationship", line: 4, "Hero.power",
            broken: pair("maxCount=\"1\"", "optional=\"YES\" maxCount=\"1\""), kept: hero(""), head: cloud),
        RuleExample(
            "cloudkit-inverse", line: 4, "Hero.a",
            broken: bare("<relationship name=\"a\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Hero\"/>"),
            kept: hero(""), head: cloud),
        RuleExample(
            "cloudkit-deny", line: 4, "Hero.power",
            broken: pair("optional=\"YES\" maxCount=\"1\" deletionRule=\"Deny\"", "optional=\"YES\" maxCount=\"1\""),
            kept: hero(""), head: cloud),
        RuleExample(
            "cloudkit-ordered", line: 4, "Hero.power",
            broken: pair("optional=\"YES\" toMany=\"YES\" ordered=\"YES\"", "optional=\"YES\" maxCount=\"1\""),
            kept: hero(""), head: cloud),
    ]
}
