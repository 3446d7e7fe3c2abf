import Foundation
import LockKit

/// Whether an app may see locations, by Apple's numbers.
public enum CLAuthorizationStatus: Int32, Sendable, Hashable {
    /// The user was not asked yet.
    case notDetermined = 0
    /// The app may not, and the user cannot change it.
    case restricted
    /// The user refused.
    case denied
    /// At all times.
    case authorizedAlways
    /// While the app is used.
    case authorizedWhenInUse
}

/// Asks the user once whether the app may see locations, with the app's text on what for; answers from then on are the
/// first one.
///
/// Where the answer is kept beyond the process is the program's choice: give the recorded one as `status`, and record
/// the new one in `ask`. Methods may be called from any thread.
public final class LocationAuthorizer: Sendable {
    /// Shows the usage text and has the user's answer.
    public typealias Question = @Sendable (_ usageDescription: String) async -> Bool

    private struct State: Sendable {
        var status: CLAuthorizationStatus
        var question: Task<CLAuthorizationStatus, Never>?
    }

    /// What the app needs locations for, in the user's language: Apple's `NSLocationWhenInUseUsageDescription`.
    public let usageDescription: String
    private let ask: Question
    private let state: Locked<State>

    /// Makes an authorizer.
    ///
    /// - Parameters:
    ///   - usageDescription: A text that is not blank: without one the user is never asked, as on Apple's systems.
    ///   - status: The answer of an earlier run.
    public init(
        usageDescription: String, status: CLAuthorizationStatus = .notDetermined, ask: @escaping Question
    ) {
        (self.usageDescription, self.ask) = (usageDescription, ask)
        state = Locked(State(status: status))
    }

    /// An authorizer that allows everything, for sources that are the program's own, such as replayed tracks.
    public static func granted() -> LocationAuthorizer {
        LocationAuthorizer(usageDescription: "", status: .authorizedWhenInUse) { _ in true }
    }

    /// The answer so far.
    public var status: CLAuthorizationStatus { state.withLock { $0.status } }

    /// Asks if the user was not asked yet; callers that come while the question is shown wait for its answer.
    func authorize() async -> CLAuthorizationStatus {
        let hasText = usageDescription.contains { !$0.isWhitespace }
        let question = state.withLock { state -> Task<CLAuthorizationStatus, Never>? in
            guard state.status == .notDetermined, hasText else { return nil }
            if let question = state.question { return question }
            let question = Task { [self] in
                let answer: CLAuthorizationStatus = await ask(usageDescription) ? .authorizedWhenInUse : .denied
                self.state.withLock { ($0.status, $0.question) = (answer, nil) }
                return answer
            }
            state.question = question
            return question
        }
        guard let question else { return status }
        return await question.value
    }

    /// The error of a status that allows nothing; nil for one that allows.
    func refusal(_ status: CLAuthorizationStatus) -> CLError? {
        switch status {
        case .authorizedAlways, .authorizedWhenInUse: nil
        case .notDetermined:
            CLError(
                .denied, reason: "Access Denied: the app has no text on what it needs locations for",
                hint: "give the authorizer a usage description")
        case .denied, .restricted: CLError(.denied, hint: "allow the app to use locations in its settings")
        }
    }
}
