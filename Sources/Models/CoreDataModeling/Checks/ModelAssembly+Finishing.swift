extension ModelAssembly {
    /// Checks the complete model by the rules that refuse one, and links everything.
    ///
    /// - Throws: `ModelingError` `.invalidModel` with the line of the first contradiction.
    mutating func finish() throws {
        if let refusal = ModelCheck.refusal(of: ModelOutline(self)) { throw refusal }
        try link()
    }
}
