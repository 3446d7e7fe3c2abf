extension ModelAssembly {
    /// Checks the complete model by the rules for which models are refused, and links entities and relationships.
    ///
    /// - Throws: `ModelingError` for the first rule that is broken, with its line, and what `link()` throws.
    mutating func finish() throws {
        if let refusal = ModelCheck.refusal(of: ModelOutline(self)) { throw refusal }
        try link()
    }
}
