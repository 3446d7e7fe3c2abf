import CoreDataWorkbench

extension Option {
    static let `where` = Option(
        "where", value: "FORMAT",
        help: "A predicate in the format of NSPredicate: 'age > 3 AND name BEGINSWITH \"A\"'. Literals are read by the "
            + "attribute's type: born > '2023-01-01', isRead == 'YES', owner == 'Person/p7'.")

    static let search = Option(
        "search", value: "WORDS",
        help:
            "Objects that have all these words in one text attribute, in whatever case; of the attributes that the model "
            + "marks for search, where it marks any.")

    static let sort = Option(
        "sort", value: "KEY,-KEY",
        help:
            "Attributes to sort by; '-' turns an order around. Dotted paths follow to-one relationships. With --search, "
            + "'rank' puts first what matches the words best.")

    /// The options that select objects of an entity.
    static let selection = [
        `where`, Option("all", help: "All objects of the entity, where no --where says which."), sort,
        Option("limit", value: "N", help: "The greatest number of objects; 0 for all, as without it."),
    ]

    static let dryRun = Option(
        "dry-run", help: "Checks everything, prints what would be done, and leaves the store as it is.")
}

extension Arguments {
    /// Whether changes are saved.
    var mode: EditMode { has("dry-run") ? .dryRun : .save }

    /// The objects at addresses, or those of an entity that the options select.
    ///
    /// - Throws: `UsageError` if the options do not select objects; `InspectionError` for names that the model does not
    ///   have.
    func selection(_ words: [String], in store: OpenStore) throws -> ObjectSelection {
        try checkSelection(words)
        if words.allSatisfy(ObjectSelection.isAddress) { return .addresses(words) }
        let entity = try store.entity(named: words[0])
        return .query(
            try ObjectQuery(entity, in: store.store, where: self["where"], sort: self["sort"], limit: number("limit")))
    }

    /// Checks that the words are only addresses, or one entity with `--where` or `--all`.
    ///
    /// - Throws: `UsageError`.
    func checkSelection(_ words: [String]) throws {
        let options = ["where", "all", "sort", "limit"].filter(has)
        if words.allSatisfy(ObjectSelection.isAddress) {
            guard let option = options.first else { return }
            throw error("--\(option) goes with an entity, not with the address of an object")
        }
        guard words.count == 1 else {
            throw error("'\(words.first { !ObjectSelection.isAddress($0) } ?? "")' is not an address of an object")
        }
        guard has("where") != has("all") else {
            throw error(
                has("all")
                    ? "--where and --all contradict each other"
                    : "the objects of '\(words[0])' to change are not chosen",
                hint: "give --where FORMAT, or --all for all of them")
        }
        _ = try number("limit")
    }
}
