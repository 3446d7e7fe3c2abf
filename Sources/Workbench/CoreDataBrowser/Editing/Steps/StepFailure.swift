import CoreData

/// Makes the failure of a step: what is wrong, with the number, the object and the key of the step.
struct StepFailure {
    let failure: BrowserFailure

    init(number: Int, of count: Int, step: EditStep, _ error: any Error) {
        let known = BrowserFailure(error)
        let isOwn = error is BrowserFailure || error is InspectionError
        let rejected = error is ValueRejection || error is UnknownKeyError
        let reason = count > 1 ? "step \(number + 1) of \(count): \(known.reason)" : known.reason
        // A step that cannot be applied is the client's error, 422; what the store cannot do keeps its status.
        let status = known.status == 403 ? 403 : isOwn && known.status < 500 || rejected ? 422 : known.status
        failure = BrowserFailure(
            status, code: rejected ? "badValue" : known.code, reason: reason, hint: known.hint,
            details: known.details + [
                .init(key: "object", value: .text(step.place.object)), .init(key: "key", value: .text(step.place.key)),
                .init(key: "step", value: .integer(Int64(number))),
            ])
    }
}
