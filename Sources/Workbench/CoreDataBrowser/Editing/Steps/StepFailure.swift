import CoreData

/// Says what is wrong with which step.
struct StepFailure {
    let failure: BrowserFailure

    init(number: Int, of count: Int, step: EditStep, _ error: any Error) {
        let known = BrowserFailure(error)
        let isOwn = error is BrowserFailure || error is InspectionError
        let rejected = error is ValueRejection || error is UnknownKeyError
        let reason = count > 1 ? "step \(number + 1) of \(count): \(known.reason)" : known.reason
        // Whatever a step asks for that cannot be is the client's mistake; what the store cannot do is not.
        let status = known.status == 403 ? 403 : isOwn && known.status < 500 || rejected ? 422 : known.status
        failure = BrowserFailure(
            status, code: rejected ? "badValue" : known.code, reason: reason, hint: known.hint,
            details: known.details + [
                .init(key: "object", value: .text(step.place.object)), .init(key: "key", value: .text(step.place.key)),
                .init(key: "step", value: .integer(Int64(number))),
            ])
    }
}
