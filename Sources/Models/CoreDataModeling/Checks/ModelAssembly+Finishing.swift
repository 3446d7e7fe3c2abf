extension ModelAssembly {
    /// Checks the whole by the rules that refuse a model, and links everything.
    ///
    /// - Throws: `ModelingError` `.invalidModel` with the line of the first contradiction.
    mutating func finish() throws {
        if let refusal = ModelCheck.refusal(of: ModelOutline(self)) { throw refusal }
        try link()
    }
}
