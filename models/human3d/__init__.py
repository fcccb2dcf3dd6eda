"""A person in space on two soles, who tips, slips and falls to the ground: 18 speeds, motors with human limits."""
