extension ExpressionFunction {
    /// The value of the function for a collection; nil for a collection that is nil.
    func ofCollection(_ arguments: [Any?]) throws -> Any? {
        guard let collection = ValueOrder.present(arguments[0]) else { return nil }
        guard let list = elements(of: collection) else { throw unsuitable(collection) }
        return self == .distinct
            ? ValueList.distinct(list.map { $0 ?? NSNull() }) : try element(of: list, at: arguments[1])
    }

    /// The element at an index, or the first, last or number of elements; nil for an index out of bounds.
    private func element(of list: [Any?], at index: Any?) throws -> Any? {
        guard let index = ValueOrder.present(index) else { return nil }
        if let place = index as? CollectionIndex {
            switch place {
            case .first: return list.first ?? nil
            case .last: return list.last ?? nil
            case .size: return list.count
            }
        }
        guard let number = ExactNumber(index) else { throw unsuitable(index) }
        return number.integer.flatMap { Int(exactly: $0) }.flatMap { list.indices.contains($0) ? list[$0] : nil }
    }

    /// An integer from zero to below the limit; nil for a limit that is not above zero.
    func randomNumber(below limit: Any?) throws -> Any? {
        guard let limit = ValueOrder.present(limit) else { return nil }
        guard let number = ExactNumber(limit) else { throw unsuitable(limit) }
        return number.integer.flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? Int.random(in: 0..<$0) : nil }
    }

    /// The value as another type; nil for nil and for a value that cannot be converted.
    func cast(_ value: Any?, to name: Any?) throws -> Any? {
        guard let type = (name as? String).flatMap({ CastType(rawValue: $0) }) else {
            throw ExpressionError.unsuitableRightSide(operation: rawValue)
        }
        let result = ValueOrder.present(value).flatMap { type.value(converting: $0) }
        if let number = result as? Double, number.isNaN { return nil }
        return result
    }

    private func unsuitable(_ value: Any) -> ExpressionError {
        .wrongType(operation: rawValue, type: String(describing: type(of: value)))
    }
}
