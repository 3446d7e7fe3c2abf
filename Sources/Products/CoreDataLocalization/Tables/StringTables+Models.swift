extension StringTables {
    /// The texts of a model in a language, for the `localizationDictionary` of `NSManagedObjectModel`.
    ///
    /// It has the keys `Entity/…`, `Property/…` and `ErrorString/…` that the table has in any language, each with the text that the
    /// wanted languages, the development language or English have for it.
    ///
    /// - Parameters:
    ///   - table: the model's table, by Apple's rule its name with `Model` behind it.
    ///   - languages: the languages that are wanted, the most wanted first.
    public func modelTexts(table: String, languages: [LanguageTag]) -> [String: String] {
        let all = self.languages.reduce(into: Set<String>()) { $0.formUnion(keys(table: table, language: $1)) }
        let kinds = ["Entity/", "Property/", "ErrorString/"]
        let wanted = all.filter { key in kinds.contains { key.hasPrefix($0) } }
        let found = wanted.filter { contains($0, table: table, languages: languages) }
        return Dictionary(uniqueKeysWithValues: found.map { ($0, text($0, table: table, languages: languages)) })
    }
}
