import Foundation

/// What timers do on the main run loop; writes a line for each trial.
enum TimerTrials {
    // All on the main thread.
    nonisolated(unsafe) private static var count = 0
    nonisolated(unsafe) private static var begin: TimeInterval = 0
    nonisolated(unsafe) private static var fired: [String] = []

    static func run() {
        begin = ProcessInfo.processInfo.systemUptime
        let once = Timer(fire: Date() + 0.05, interval: 0, repeats: false) { timer in
            say("once early \(ProcessInfo.processInfo.systemUptime - begin < 0.05) valid \(timer.isValid)")
        }
        RunLoop.main.add(once, forMode: .common)
        RunLoop.main.run(until: Date() + 0.2)
        say("once after valid \(once.isValid)")
        begin = ProcessInfo.processInfo.systemUptime
        _ = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: false) { _ in
            say("scheduled early \(ProcessInfo.processInfo.systemUptime - begin < 0.05)")
        }
        RunLoop.main.run(until: Date() + 0.2)
        begin = ProcessInfo.processInfo.systemUptime
        let made = Timer(timeInterval: 60, repeats: false) { _ in say("made with an interval of a minute early") }
        RunLoop.main.add(made, forMode: .default)
        RunLoop.main.run(until: Date() + 0.1)

        let repeating = Timer(fire: Date() + 0.01, interval: 0.01, repeats: true) { _ in
            count += 1
            // Ten intervals pass in the first call.
            if count == 1 { Thread.sleep(forTimeInterval: 0.105) }
        }
        RunLoop.main.add(repeating, forMode: .common)
        RunLoop.main.run(until: Date() + 0.15)
        let seen = count
        repeating.invalidate()
        RunLoop.main.run(until: Date() + 0.05)
        say(
            "repeating calls \(seen) coalesced \(seen < 10) after invalidate \(count - seen) valid \(repeating.isValid)"
        )

        let late = Timer(fire: Date() + 0.05, interval: 0, repeats: false) { _ in fired.append("date") }
        let past = Timer(fire: Date() - 60, interval: 0, repeats: false) { _ in fired.append("past") }
        let other = Timer(fire: Date(), interval: 0, repeats: false) { _ in fired.append("other mode") }
        RunLoop.main.add(late, forMode: .default)
        RunLoop.main.add(past, forMode: .default)
        RunLoop.main.add(other, forMode: RunLoop.Mode("other"))
        RunLoop.main.run(until: Date() + 0.15)
        say("fired \(fired.joined(separator: ", "))")
        _ = RunLoop.main.run(mode: RunLoop.Mode("other"), before: Date() + 0.05)
        say("fired \(fired.joined(separator: ", "))")

        let info = Timer(timeInterval: 60, repeats: false) { _ in }
        say("user info \(info.userInfo == nil)")
        count = 0
        let hand = Timer(timeInterval: 60, repeats: false) { _ in count += 1 }
        hand.fire()
        say("fired by hand \(count) valid \(hand.isValid)")
        hand.fire()
        say("fired by hand again \(count)")
        let moved = Timer(timeInterval: 60, repeats: true) { _ in fired.append("moved") }
        RunLoop.main.add(moved, forMode: .default)
        moved.fireDate = Date() + 0.02
        RunLoop.main.run(until: Date() + 0.08)
        say("moved \(fired.last ?? "") next in a minute \(moved.fireDate.timeIntervalSinceNow > 30)")
        moved.invalidate()
    }
}
