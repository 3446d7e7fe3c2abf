extension ModelFinding {
    /// The finding as an error that refuses the model.
    var refusal: ModelingError {
        let isMalformed = DocumentRules.subject.rules.contains(rule)
        var error = ModelingError(
            isMalformed ? .malformed : .invalidModel, isMalformed ? message : sentence, line: place?.line,
            hint: hint ?? (isMalformed ? nil : rule.remedy))
        error.column = place?.column
        return error
    }
}
