extension RuleExample {
    private static func note(_ mark: String, _ value: String, on attribute: String = "name", more: String = "")
        -> String
    {
        let info = "<userInfo><entry key=\"\(mark)\" value=\"\(value)\"/></userInfo>"
        func declared(_ name: String, _ type: String, _ further: String = "") -> String {
            "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\" \(further)>"
                + "\(name == attribute ? info : "")</attribute>"
        }
        return """
            <entity name="Note">
            \(declared("name", "String", more))
            \(declared("photo", "Binary"))
            \(declared("mood", "String", "transient=\"YES\""))
            \(declared("latitude", "Double"))
            \(declared("longitude", "Double"))
            \(declared("price", "Decimal"))
            </entity>
            """
    }

    static let searching = [
        RuleExample(
            "search-index-attribute", line: 5, "Note.photo", broken: note("CoreDataSearchIndex", "YES", on: "photo"),
            kept: note("CoreDataSearchIndex", "YES")),
        RuleExample(
            "search-index-attribute", line: 6, "Note.mood", broken: note("CoreDataSearchIndex", "YES", on: "mood"),
            kept: note("CoreDataSearchIndex", "NO", on: "mood")),
        RuleExample(
            "search-index-encrypted", line: 4, "Note.name",
            broken: note("CoreDataSearchIndex", "YES", more: "allowsCloudEncryption=\"YES\""),
            kept: note("CoreDataSearchIndex", "NO", more: "allowsCloudEncryption=\"YES\"")),
        RuleExample(
            "search-index-value", line: 4, "Note.name", broken: note("CoreDataSearchIndex", "maybe"),
            kept: note("CoreDataSearchIndex", "true")),
        RuleExample(
            "search-unknown-key", line: 4, "Note.name", broken: note("CoreDataSearchIndx", "YES"),
            kept: note("CoreDataSearchIndex", "YES")),
        RuleExample(
            "search-pair", line: 7, "Note.latitude", broken: note("CoreDataSearchPair", "longitud", on: "latitude"),
            kept: note("CoreDataSearchPair", "longitude", on: "latitude")),
        RuleExample(
            "search-pair", line: 7, "Note.latitude", broken: note("CoreDataSearchPair", "price", on: "latitude"),
            kept: note("CoreDataSearchPair", "longitude", on: "latitude")),
        RuleExample(
            "search-pair", line: 4, "Note.name", broken: note("CoreDataSearchPair", "latitude"),
            kept: note("CoreDataSearchPair", "latitude", on: "longitude")),
    ]
}
