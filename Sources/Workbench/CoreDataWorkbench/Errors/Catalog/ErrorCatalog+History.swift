extension ErrorCatalog {
    /// Errors of history tokens that are expired or belong to other stores.
    static let history = [
        ErrorEntry(
            134301, name: "NSPersistentHistoryTokenExpiredError",
            meaning: "The history after a token is not all there any more.",
            causes: [
                "transactions were purged, by hand or by `historyRetention`",
                "the store was replaced by an older copy; on a server: restored, or failed over",
            ],
            cures: [
                "Forget the token: take the current one, read all objects again, go on from there ([History](History.md#errors)).",
                "Name the reader in `historyRetention`, so that what it has not read stays.",
            ]),
        ErrorEntry(
            134501, name: nil, meaning: "A token knows none of the stores.",
            causes: ["a token of another store, or a store that was replaced by another one"],
            cures: ["Forget the token, and start again as with 134301."]),
    ]
}
